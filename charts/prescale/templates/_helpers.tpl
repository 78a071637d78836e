{{/* The base name of all installed objects: "prescale" for a release of that name. */}}
{{- define "prescale.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 48 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 48 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change during the life of the release, for selectors. */}}
{{- define "prescale.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "prescale.labels" -}}
{{ include "prescale.selectorLabels" . }}
{{ include "prescale.releaseLabels" . }}
{{- end -}}

{{- define "prescale.schedulerSelectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-scheduler
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "prescale.schedulerLabels" -}}
{{ include "prescale.schedulerSelectorLabels" . }}
{{ include "prescale.releaseLabels" . }}
{{- end -}}

{{/* All labels, including those that may change with an upgrade. */}}
{{- define "prescale.releaseLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "prescale.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* The Secret with the serving certificate, from any source. */}}
{{- define "prescale.tlsSecret" -}}
{{- .Values.tls.secretName | default (printf "%s-tls" (include "prescale.name" .)) -}}
{{- end -}}

{{/* The containers' security context, Restricted under the Pod Security Standards. */}}
{{- define "prescale.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "prescale.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{/* Options that connect a program to the Prometheus in the values. */}}
{{- define "prescale.prometheusArguments" -}}
{{- with .Values.prometheus.url }}
- --prometheus={{ . }}
{{- end }}
{{- with .Values.prometheus.tenant }}
- --tenant={{ . }}
{{- end }}
{{- with .Values.prometheus.tokenSecret.name }}
- --token-file=/etc/prescale/token/{{ $.Values.prometheus.tokenSecret.key }}
{{- end }}
{{- with .Values.prometheus.caSecret.name }}
- --ca-file=/etc/prescale/ca/{{ $.Values.prometheus.caSecret.key }}
{{- end }}
{{- end -}}

{{- define "prescale.prometheusMounts" -}}
{{- if .Values.prometheus.tokenSecret.name }}
- {name: token, mountPath: /etc/prescale/token, readOnly: true}
{{- end }}
{{- if .Values.prometheus.caSecret.name }}
- {name: ca, mountPath: /etc/prescale/ca, readOnly: true}
{{- end }}
{{- end -}}

{{- define "prescale.prometheusVolumes" -}}
{{- with .Values.prometheus.tokenSecret.name }}
- name: token
  secret: {secretName: {{ . }}}
{{- end }}
{{- with .Values.prometheus.caSecret.name }}
- name: ca
  secret: {secretName: {{ . }}}
{{- end }}
{{- end -}}
