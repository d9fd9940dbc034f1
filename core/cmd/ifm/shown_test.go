//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// elsewhere are programs that are not run here: they need a network, a cluster or Docker.
var elsewhere = []string{"docker", "kubectl", "npm", "npx", "sbatch"}

var (
	shellBlock  = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	inlineCode  = regexp.MustCompile("`((?:[A-Z_]+=1 )*(?:make|go|node|bin/ifm|bin/ifmlab|ifm|docker|npm) [^`]+)`")
	remark      = regexp.MustCompile(`(?m)\s+# .*$`)
	word        = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)
	assigned    = regexp.MustCompile(`^[A-Z_]+=`)
	placeholder = regexp.MustCompile(`^[A-Z]{2,}$|/[A-Z]{2,}$`)
	stride      = regexp.MustCompile(`stride=\d+`)
)

// Commands of ifm in a block are run, on little. Of others, and of those within a sentence,
// the targets, folders, files, flags and tests must be there.
func TestEveryCommandThatADocumentShowsRuns(t *testing.T) {
	root := must(filepath.Abs("../../.."))
	var documents []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && slices.Contains([]string{".git", "bin", "dist", "node_modules"}, entry.Name()) {
			return filepath.SkipDir
		}
		if name := must(filepath.Rel(root, path)); filepath.Ext(name) == ".md" {
			documents = append(documents, name)
		}
		return err
	}))
	t.Chdir(t.TempDir())
	for _, folder := range []string{"core", "web"} {
		require.NoError(t, os.Symlink(filepath.Join(root, folder), folder))
	}
	for _, name := range []string{"new.csv", "houses.csv"} {
		require.NoError(t, os.WriteFile(name, must(os.ReadFile("web/samples/cars.csv")), 0o644))
	}
	s := shown{root, string(must(os.ReadFile(filepath.Join(root, "Makefile")))), string(must(os.ReadFile(filepath.Join(root, "server/main.go"))))}
	found := 0
	for _, name := range documents {
		if name == "CHANGELOG.md" {
			continue // of versions before
		}
		text := string(must(os.ReadFile(filepath.Join(root, name))))
		for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
			for line := range strings.Lines(block[1]) {
				for command := range strings.SplitSeq(strings.TrimSpace(remark.ReplaceAllString(line, "")), " && ") {
					found++
					s.check(t, name, command, true)
				}
			}
		}
		for _, code := range inlineCode.FindAllStringSubmatch(shellBlock.ReplaceAllString(text, ""), -1) {
			found++
			s.check(t, name, code[1], false)
		}
	}
	assert.Greater(t, found, 80)
}

// shown checks commands of documents.
type shown struct{ root, makefile, server string }

func (s shown) check(t *testing.T, document, command string, runs bool) {
	words := word.FindAllString(command, -1)
	for len(words) > 0 && assigned.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "'", "")
	}
	there := func(path string) {
		_, err := os.Stat(filepath.Join(s.root, path))
		assert.NoError(t, err, "%s: %s", document, command)
	}
	args := words[1:]
	switch program := words[0]; {
	case program == "make":
		for _, target := range args {
			assert.Regexp(t, `(?m)^`+target+`:`, s.makefile, "%s: %s", document, command)
		}
	case program == "go" && len(args) > 2 && args[0] == "run" && args[1] == "./core/cmd/ifm":
		s.check(t, document, "ifm "+strings.Join(word.FindAllString(command, -1)[3:], " "), runs)
	case program == "go":
		for i, arg := range args {
			if path, ours := strings.CutPrefix(strings.Replace(arg, "ifmlab/", "./", 1), "./"); ours && !placeholder.MatchString(path) && args[max(i-1, 0)] != "-o" {
				there(path)
			}
			if i > 0 && slices.Contains([]string{"-run", "-bench"}, args[i-1]) && arg != "none" {
				for name := range strings.SplitSeq(arg, "|") {
					assert.NoError(t, exec.Command("grep", "-rqE", "^func (Test|Benchmark)[A-Za-z0-9]*"+name, "--include=*_test.go", filepath.Join(s.root, "core")).Run(), "%s: %s", document, command)
				}
			}
		}
	case program == "node":
		for _, arg := range args {
			if strings.HasSuffix(arg, ".mjs") {
				there(arg)
			} else if !strings.HasPrefix(arg, "-") && !placeholder.MatchString(arg) {
				assert.NotEmpty(t, must(filepath.Glob(filepath.Join(s.root, "web/test/*"+arg+"*.test.mjs"))), "%s: %s: no test of the page has %s in its name", document, command, arg)
			}
		}
	case program == "cd":
		there(args[0])
	case program == "bin/ifmlab":
		for _, arg := range args {
			if flag, is := strings.CutPrefix(arg, "-"); is {
				assert.Contains(t, s.server, `"`+flag+`", `, "%s: %s", document, command)
			}
		}
	case slices.Contains(elsewhere, program):
	case program != "ifm" && program != "bin/ifm":
		t.Errorf("%s: %s: say here how this command is checked", document, command)
	case !runs || placeholder.MatchString(args[0]):
		topic := args[0]
		if topic == "help" {
			topic = args[1]
		}
		if status, _, _ := ifm("help", topic); !placeholder.MatchString(topic) {
			assert.Zero(t, status, "%s: %s", document, command)
		}
	default:
		status, told := runOnLittle(t, args)
		assert.Zero(t, status, "%s: %s: %s", document, command, told)
	}
}

// runOnLittle runs a command in its cheapest form.
func runOnLittle(t *testing.T, args []string) (status int, told string) {
	output := ""
	if last := args[len(args)-1]; strings.HasPrefix(last, ">") {
		args, output = args[:len(args)-1], last[1:]
	}
	switch args[0] {
	case "curve":
		args[1] += "&iterations=1"
	case "compare":
		args[1] += "&iterations=1&ranks=2&trials=2"
	case "train":
		args = append(args, "-set", "ranks=2", "-set", "iterations=2")
	case "table1":
		args[1] = stride.ReplaceAllString(args[1], "stride=720")
	case "sweep":
		if out := slices.Index(args, "-out"); out > 0 { // each line is an alternative to the one before
			require.NoError(t, os.RemoveAll(args[out+1]))
		}
		link := small
		if slices.Contains(args, "-table") {
			link = "source=table&target=Miles_per_Gallon&ignore=Name&" + fewTrials
		}
		require.NoError(t, os.WriteFile("links.txt", []byte(link+"\n"), 0o644))
		if at := slices.Index(args, "1/100"); at > 0 {
			args[at] = "1/4000"
		}
	}
	status, out, told := ifm(args...)
	if output != "" {
		require.NoError(t, os.WriteFile(output, []byte(out), 0o644))
	}
	return status, told
}
