#compdef tuibench
# zsh completion of tuibench: tuibench --completion zsh
_tuibench()
{
	local -a found shown
	found=("${(@f)$(tuibench --completion zsh -- "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
	local kind=$found[1]
	shift found
	shown=("${(@)found//$'\t'/  }")
	found=("${(@)found%%$'\t'*}")
	case $kind in
	files)
		compadd -d shown -a found
		compset -P '--*='
		_files
		;;
	words) compadd -d shown -a found ;;
	more) compadd -S '' -a found ;;
	esac
}
# In a directory of fpath this file is the function; sourced, it only defines it.
if [[ $funcstack[1] == _tuibench ]]; then
	_tuibench "$@"
else
	(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
	compdef _tuibench tuibench
fi
