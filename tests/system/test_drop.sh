#!/usr/bin/env bash
# Checks what a class sends by ssh: each recording becomes a new file, and nothing else that a client
# sends has an effect. Runs an sshd on the loopback interface. Without sshd, runs only the script.
#   test_drop.sh TUIBENCH drop.sh
set -euo pipefail
PATH=$PATH:/usr/sbin
tuibench=$(realpath "$1") script=$(realpath "$2")
work=$(mktemp -d)
sshd_pid=
finish() {
	[ -z "$sshd_pid" ] || kill "$sshd_pid" 2>/dev/null || :
	rm -rf "$work"
}
trap finish EXIT
fail() {
	echo "test_drop: $*" >&2
	exit 1
}
mkdir "$work/class"
cd "$work"

push() { sh "$script" "$work/class"; }
if command -v sshd ssh-keygen >/dev/null; then
	ssh-keygen -q -t ed25519 -N '' -f host
	ssh-keygen -q -t ed25519 -N '' -f key
	echo "restrict,command=\"sh $script $work/class\" $(cat key.pub)" >keys
	port=$((20000 + RANDOM % 20000))
	printf '%s\n' "Port $port" 'ListenAddress 127.0.0.1' "HostKey $work/host" \
		"AuthorizedKeysFile $work/keys" 'StrictModes no' 'UsePAM no' 'PidFile none' \
		'PermitRootLogin prohibit-password' 'PasswordAuthentication no' >sshd.conf
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
	"$(command -v sshd)" -D -f sshd.conf -E sshd.log &
	sshd_pid=$!
	over_ssh() {
		ssh -F none -p "$port" -i key -o IdentitiesOnly=yes -o BatchMode=yes \
			-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
			-o LogLevel=ERROR "$(id -un)@127.0.0.1" "$@"
	}
	# The sshd of an ordinary user may refuse all clients. Then only the script is tested.
	for _ in $(seq 50); do
		if echo record,try | over_ssh >/dev/null 2>&1; then
			push() { over_ssh "$@"; }
			echo "over ssh"
			break
		fi
		kill -0 "$sshd_pid" 2>/dev/null || break
		sleep 0.1
	done
	rm -f class/*
fi

"$tuibench" -b -w cpu=2 -s size=1M -n 6 --warmup 0 -s label=anna -o - 2>/dev/null | push >said
grep -q '^recorded as drop-.*\.csv$' said || fail "no answer: $(cat said)"
[ "$(find class -type f | wc -l)" = 1 ] || fail "a push is one file"
"$tuibench" -x table class/*.csv | grep -q threads || fail "it is no recording"

# A command of the client is not run, and data that are no recording leave no file.
head -c 100 /dev/zero | push "touch $work/owned" >/dev/null 2>&1 && fail "zeros are no recording"
# shellcheck disable=SC2016 # a shell of the server must not expand it
echo '$(touch owned); `touch owned`' | push '; touch owned' >/dev/null 2>&1 && fail "nor is a command"
printf '' | push >/dev/null 2>&1 && fail "nor is nothing"
[ "$(find class -type f | wc -l)" = 1 ] || fail "something was left behind"
[ -z "$(find / -xdev -maxdepth 2 -name owned 2>/dev/null)$(find "$work" -name owned)" ] || fail "a command was run"

# A recording without an end is cut at 64 MiB, with a message. One of exactly 64 MiB is not cut.
{
	printf 'record,'
	head -c 70000000 /dev/zero || :
} | push >said 2>&1 && fail "a long one is said to be recorded"
grep -q '^cut off at 64 MB, as drop-.*\.csv' said || fail "no answer to a long one: $(cat said)"
largest=$(find class -type f -printf '%s\n' | sort -n | tail -n 1)
[ "$largest" = 67108864 ] || fail "$largest bytes of a long one"
{
	printf 'record,'
	head -c 67108857 /dev/zero
} | sh "$script" class >said || fail "one of 64 MB is not recorded"
rm -f class/*

# If writing fails, no file is left. A limit on the size of files acts like a full disk.
(
	trap '' XFSZ
	ulimit -f 64
	head -c 1000000 /dev/zero | tr '\0' x | sed 's/^/record,/' | sh "$script" class
) >said 2>&1 && fail "a torn one is said to be recorded"
grep -q '^not recorded: it cannot be written' said || fail "no answer to a full disk: $(cat said)"
[ -z "$(ls -A class)" ] || fail "a torn recording was left: $(ls -A class)"

# The folder must never have more than 3 recordings, even if 6 come at the same time.
pids=()
for i in $(seq 6); do
	(echo record,try | sh "$script" class 3 >"said$i" 2>&1) &
	pids+=($!)
done
wait "${pids[@]}" || :
n=$(find class -type f | wc -l)
[ "$n" -le 3 ] || fail "$n recordings in place of 3"
while [ "$n" -lt 3 ]; do # each of the 6 may have counted the others, and been refused
	echo record,try | sh "$script" class 3 >/dev/null || fail "recording $n is refused"
	n=$((n + 1))
done
echo record,try | sh "$script" class 3 >said 2>&1 && fail "a fourth one is taken"
grep -q '^not recorded: there are 3 recordings already' said || fail "no answer: $(cat said)"
[ "$(find class -type f | wc -l)" = 3 ] || fail "a recording that is refused leaves something"
echo "test_drop: fine"
