package main

import (
	"bytes"
	_ "embed"
	"text/template"
	"time"
)

// stagesTemplate is what KWOK does with nodes and pods. Its own templates stand between {{ and }}, ours
// between [[ and ]].
//
//go:embed stages.yaml
var stagesTemplate string

// kwokStages renders KWOK's configuration: pods get ready as late as a cold start takes them.
func kwokStages(imagePull time.Duration, podStart delay) ([]byte, error) {
	parsed, err := template.New("stages.yaml").Delims("[[", "]]").Parse(stagesTemplate)
	if err != nil {
		return nil, err
	}
	type part struct{ Weight, Least, Most int64 }
	values := struct {
		ImagePull int64
		PodStart  []part
	}{ImagePull: imagePull.Milliseconds()}
	for _, p := range podStart {
		values.PodStart = append(values.PodStart, part{int64(p.weight), p.least.Milliseconds(), p.most.Milliseconds()})
	}
	var rendered bytes.Buffer
	err = parsed.Execute(&rendered, values)
	return rendered.Bytes(), err
}
