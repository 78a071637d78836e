package main

import (
	"bytes"
	_ "embed"
	"text/template"
	"time"
)

// stagesTemplate is the template of KWOK's stages. KWOK's own templates are between {{ and }}, those of
// this program between [[ and ]].
//
//go:embed stages.yaml
var stagesTemplate string

// kwokStages renders KWOK's configuration: pods become ready after their cold start.
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
