#compdef tuibench
# zsh completion of tuibench: tuibench --completion zsh
local -a found shown
found=("${(@f)$(tuibench --completion zsh -- "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
local kind=$found[1]
shift found
shown=("${(@)found//$'\t'/  }")
found=("${(@)found%%$'\t'*}")
case $kind in
files)
	compset -P '--*='
	_files
	;;
words) compadd -d shown -a found ;;
more) compadd -S '' -a found ;;
esac
