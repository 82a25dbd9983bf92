"""embed.py PAGE C: the page as a C array, in its policy the hash of the one script that may run."""
import base64
import hashlib
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
script = re.search(r"<script>(.*?)</script>", page, re.DOTALL).group(1)
digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
page = page.replace("@SCRIPT@", "'sha256-" + digest + "'")
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("extern const unsigned char page_html[];\nconst unsigned char page_html[] = {" +
               ",".join(map(str, page.encode())) + ",0};\n")
