# fish completion of tuibench: tuibench --completion fish
function __tuibench
	set -l found (tuibench --completion fish -- (commandline -opc) (commandline -ct) 2>/dev/null)
	if test "$found[1]" = files
		__fish_complete_path (commandline -ct)
		printf '%s\n' $found[2..]
	else
		printf '%s\n' $found[2..]
	end
end
complete -c tuibench -f -a '(__tuibench)'
