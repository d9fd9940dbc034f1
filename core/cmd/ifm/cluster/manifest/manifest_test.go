// Package manifest tries job.yaml, the manifest of a sweep on Kubernetes: it has the types
// of Kubernetes' API, and what it runs does, under the variables that it sets. The module
// is one of its own, so that nothing else of the project has Kubernetes' packages.
package manifest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const manifest = "../job.yaml"

// decode reads a manifest, in which no field is unknown and none is there twice.
func decode(text []byte) (job batch.Job, err error) { return job, yaml.UnmarshalStrict(text, &job) }

func read(t *testing.T) (batch.Job, string) {
	t.Helper()
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	job, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return job, string(text)
}

func TestTheManifestIsAnIndexedJobWithoutUnknownFields(t *testing.T) {
	job, text := read(t)
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || *job.Spec.CompletionMode != batch.IndexedCompletion {
		t.Errorf("it is %s %s %s", job.APIVersion, job.Kind, *job.Spec.CompletionMode)
	}
	for found, misspelt := range map[string]string{"parallelism": "paralellism", "onExitCodes": "onExitCode", "mountPath": "mountpoint", "completions: 100": "completions: many"} {
		wrong := strings.Replace(text, found, misspelt, 1)
		if wrong == text {
			t.Fatalf("the manifest has no %s", found)
		}
		if _, err := decode([]byte(wrong)); err == nil {
			t.Errorf("%s passed", misspelt)
		}
	}
}

func TestItsPartsFitEachOther(t *testing.T) {
	job, _ := read(t)
	pod := job.Spec.Template.Spec
	container := pod.Containers[0]
	i := slices.IndexFunc(container.Env, func(v core.EnvVar) bool { return v.Name == "JOB_COMPLETIONS" })
	if i < 0 || container.Env[i].Value != strconv.Itoa(int(*job.Spec.Completions)) {
		t.Errorf("JOB_COMPLETIONS is not %d: %+v", *job.Spec.Completions, container.Env)
	}
	for _, rule := range job.Spec.PodFailurePolicy.Rules {
		if rule.OnExitCodes != nil && *rule.OnExitCodes.ContainerName != container.Name {
			t.Errorf("the exit codes are of %s, want %s", *rule.OnExitCodes.ContainerName, container.Name)
		}
	}
	if container.VolumeMounts[0].Name != pod.Volumes[0].Name {
		t.Errorf("%s is mounted, and the volume is %s", container.VolumeMounts[0].Name, pod.Volumes[0].Name)
	}
	if pod.RestartPolicy != core.RestartPolicyNever {
		t.Errorf("the restart policy is %s, and a failure policy of pods wants Never", pod.RestartPolicy)
	}
}

// runner runs the container's command as the pod of an index would, but with a folder of
// this machine where the volume is.
type runner struct {
	container      core.Container
	folder, binary string
}

func newRunner(t *testing.T) (runner, int) {
	job, _ := read(t)
	r := runner{job.Spec.Template.Spec.Containers[0], t.TempDir(), filepath.Join(t.TempDir(), "ifm")}
	build := exec.Command("go", "build", "-o", r.binary, "./core/cmd/ifm")
	build.Dir = "../../../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if r.container.Command[0] != "ifm" {
		t.Fatalf("the command is %v", r.container.Command)
	}
	return r, int(*job.Spec.Completions)
}

func (r runner) run(index int) (status int, told string) {
	args := slices.Clone(r.container.Command[1:])
	for i, arg := range args {
		if rest, is := strings.CutPrefix(arg, r.container.VolumeMounts[0].MountPath+"/"); is {
			args[i] = filepath.Join(r.folder, rest)
		}
	}
	c := exec.Command(r.binary, args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "JOB_COMPLETION_INDEX=" + strconv.Itoa(index)} // as Kubernetes sets it
	for _, v := range r.container.Env {
		c.Env = append(c.Env, v.Name+"="+v.Value)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if exit, is := errors.AsType[*exec.ExitError](c.Run()); is {
		return exit.ExitCode(), stderr.String()
	}
	return c.ProcessState.ExitCode(), stderr.String()
}

func (r runner) merge(t *testing.T, folder string) string {
	out, err := exec.Command(r.binary, "merge", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.500s", err, out)
	}
	return string(out)
}

func TestItsCommandDoesEveryPartOnce(t *testing.T) {
	r, parts := newRunner(t)
	links := filepath.Join(r.folder, "links.txt")
	if err := os.WriteFile(links, []byte("d=4&n=60&test=60&k=1&iterations=3&trials=100\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for index := parts - 1; index >= 0; index-- {
		if status, told := r.run(index); status != 0 {
			t.Fatalf("index %d ended with %d: %s", index, status, told)
		}
	}
	alone := t.TempDir()
	if out, err := exec.Command(r.binary, "sweep", links, "-out", alone).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, got := r.merge(t, alone), r.merge(t, filepath.Join(r.folder, "results"))
	if got != want || strings.Count(got, "\n") != 1+200 {
		t.Errorf("%d indices merge to %d bytes, one machine to %d", parts, len(got), len(want))
	}
}

// Links that are wrong stay wrong: the status is the one for which the job gives up.
func TestWrongLinksFailTheWholeJob(t *testing.T) {
	r, _ := newRunner(t)
	job, _ := read(t)
	if err := os.WriteFile(filepath.Join(r.folder, "links.txt"), []byte("k=many\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, told := r.run(0)
	i := slices.IndexFunc(job.Spec.PodFailurePolicy.Rules, func(rule batch.PodFailurePolicyRule) bool {
		return rule.Action == batch.PodFailurePolicyActionFailJob && slices.Contains(rule.OnExitCodes.Values, int32(status))
	})
	if i < 0 || !strings.Contains(told, `the link's k was "many"`) {
		t.Errorf("it ended with %d, of which no rule fails the job: %s", status, told)
	}
	r.container.Env = nil // Kubernetes alone tells a pod its index
	if status, told := r.run(0); status != 2 || !strings.Contains(told, "set JOB_COMPLETIONS") {
		t.Errorf("without JOB_COMPLETIONS it ended with %d: %s", status, told)
	}
}
