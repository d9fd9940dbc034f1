#!/bin/sh
# Asks bin/ifmlab for a small file, a script of the page, the typeface and an engine with wrk, and prints what memory that took.
command -v wrk >/dev/null || { echo "not run: the server under load: wrk was not found (Debian: wrk)"; exit; }
bin/ifmlab -addr 127.0.0.1:8099 -log=false >/dev/null & server=$!
trap 'kill $server' EXIT
sleep 1
for load in 64:favicon.ico 64:ifm-lab.js 640:ifm-lab.js "16:$(cd web/dist && echo a/engine-*.wasm)"; do
	for coding in identity gzip; do
		echo "${load#*:}, $coding, ${load%%:*} connections"
		wrk -t2 -c"${load%%:*}" -d"${SECONDS_EACH:-5}" --latency -H "Accept-Encoding: $coding" "http://127.0.0.1:8099/${load#*:}" | grep -E '50%|99%|Requests/sec|Non-2xx|Socket'
	done
done
grep -E 'VmHWM|VmRSS|RssAnon' /proc/$server/status
