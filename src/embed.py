"""embed.py C FILE...: each file as a C array named after it, with a NUL behind it. In a page's policy
@SCRIPT@ becomes the hash of the one script that may run."""
import base64
import hashlib
import pathlib
import re
import sys

arrays = []
for path in map(pathlib.Path, sys.argv[2:]):
    text = path.read_text(encoding="utf-8")
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    if script:
        digest = base64.b64encode(hashlib.sha256(script.group(1).encode()).digest()).decode()
        text = text.replace("@SCRIPT@", "'sha256-" + digest + "'")
    name = re.sub(r"\W", "_", path.name)
    arrays.append("extern const unsigned char %s[];\nconst unsigned char %s[] = {%s,0};\n" %
                  (name, name, ",".join(map(str, text.encode()))))
pathlib.Path(sys.argv[1]).write_text("".join(arrays), encoding="utf-8")
