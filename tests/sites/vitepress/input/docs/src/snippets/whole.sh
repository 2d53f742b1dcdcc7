echo '```'
