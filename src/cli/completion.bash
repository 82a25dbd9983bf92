# bash completion of tuibench: tuibench --completion bash
_tuibench()
{
	local i kind begin words=(tuibench)
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if ((i > 1)) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]]; then
			words[-1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}")
		fi
	done
	begin=${words[-1]%"${words[-1]##*=}"}
	mapfile -t COMPREPLY < <(tuibench --completion bash -- "${words[@]}" 2>/dev/null)
	kind=${COMPREPLY[0]-}
	COMPREPLY=("${COMPREPLY[@]:1}")
	COMPREPLY=("${COMPREPLY[@]#"$begin"}")
	if [[ $kind == files ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "${words[-1]##*=}")
	elif [[ $kind == more ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _tuibench tuibench
