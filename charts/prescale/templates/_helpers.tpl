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

{{/* Where pods run, and how important they are. */}}
{{- define "prescale.nodes" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Options that connect a program to the Prometheus in the values. */}}
{{- define "prescale.prometheusArguments" -}}
{{- if .Values.prometheus.url -}}
- --prometheus={{ .Values.prometheus.url }}
{{- include "prescale.prometheusCredentials" . }}
{{- with .Values.prometheus.caSecret.name }}
- --ca-file={{ include "prescale.prometheusCa" $ }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "prescale.prometheusCredentials" -}}
{{- with .Values.prometheus.tenant }}
- --tenant={{ . }}
{{- end }}
{{- with .Values.prometheus.tokenSecret.name }}
- --token-file=/etc/prescale/token/{{ $.Values.prometheus.tokenSecret.key }}
{{- end }}
{{- with .Values.prometheus.oauth2 }}
{{- if .tokenUrl }}
- {{ printf "--oauth2-token-url=%s" .tokenUrl | quote }}
- {{ printf "--oauth2-client-id=%s" .clientId | quote }}
- --oauth2-client-secret-file=/etc/prescale/oauth2/{{ .secret.key }}
{{- with .scope }}
- {{ printf "--oauth2-scope=%s" . | quote }}
{{- end }}
{{- with .audience }}
- {{ printf "--oauth2-audience=%s" . | quote }}
{{- end }}
{{- if .caSecret.name }}
- --oauth2-ca-file=/etc/prescale/oauth2-ca/{{ .caSecret.key }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "prescale.prometheusCa" -}}
/etc/prescale/ca/{{ .Values.prometheus.caSecret.key }}
{{- end -}}

{{/* Not empty if queries find only series of their own namespace. */}}
{{- define "prescale.enforcesNamespace" -}}
{{- $when := .Values.prometheus.enforceNamespace.when -}}
{{- if and .Values.prometheus.url (or (eq $when "always") (and (eq $when "auto") (ne (len .Values.namespaces) 1))) -}}
true
{{- end -}}
{{- end -}}

{{/* The same for the controller, whose queries may go through the proxy in its pod. */}}
{{- define "prescale.controllerPrometheusArguments" -}}
{{- if include "prescale.enforcesNamespace" . -}}
- --prometheus=http://127.0.0.1:{{ .Values.prometheus.enforceNamespace.port }}
- --enforce-namespace
{{- include "prescale.prometheusCredentials" . }}
{{- else -}}
{{ include "prescale.prometheusArguments" . }}
{{- end -}}
{{- end -}}

{{- define "prescale.prometheusMounts" -}}
{{- if .Values.prometheus.tokenSecret.name }}
- {name: token, mountPath: /etc/prescale/token, readOnly: true}
{{- end }}
{{- if .Values.prometheus.caSecret.name }}
- {name: ca, mountPath: /etc/prescale/ca, readOnly: true}
{{- end }}
{{- with .Values.prometheus.oauth2 }}
{{- if .tokenUrl }}
- {name: oauth2, mountPath: /etc/prescale/oauth2, readOnly: true}
{{- if .caSecret.name }}
- {name: oauth2-ca, mountPath: /etc/prescale/oauth2-ca, readOnly: true}
{{- end }}
{{- end }}
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
{{- with .Values.prometheus.oauth2 }}
{{- if .tokenUrl }}
- name: oauth2
  secret: {secretName: {{ .secret.name }}}
{{- with .caSecret.name }}
- name: oauth2-ca
  secret: {secretName: {{ . }}}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Binds a role to a service account: a Role in a namespace, or a ClusterRole everywhere without one. The role has the binding's name unless it is given. */}}
{{- define "prescale.binding" -}}
{{- $kind := ternary "ClusterRole" "Role" (empty .namespace) -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}Binding
metadata:
  name: {{ .name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels: {{- .labels | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ $kind }}
  name: {{ .role | default .name }}
subjects:
  - {kind: ServiceAccount, name: {{ .account }}, namespace: {{ .of }}}
{{- end }}

{{/* Grants rules to the program: in each namespace in which it works, or everywhere. */}}
{{- define "prescale.granted" -}}
{{- $labels := include "prescale.labels" .root -}}
{{- range .root.Values.namespaces | default (list "") }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ ternary "ClusterRole" "Role" (empty .) }}
metadata:
  name: {{ $.name }}
  {{- with . }}
  namespace: {{ . }}
  {{- end }}
  labels: {{- $labels | nindent 4 }}
rules:
  {{- $.rules | nindent 2 }}
---
{{ include "prescale.binding" (dict "name" $.name "namespace" . "labels" $labels "account" (include "prescale.name" $.root) "of" $.root.Release.Namespace) }}
{{- end }}
{{- end }}

{{- /* Rules, whose alerts lead to the runbook where it can be opened; of (root, file). */}}
{{- define "prescale.rules" -}}
{{- $root := index . 0 -}}
{{- $rules := $root.Files.Get (index . 1) -}}
{{- with $root.Values.prometheusRule.runbookUrl -}}
{{- $rules = replace "runbook: docs/runbook.md#" (printf "runbook_url: %s#" .) $rules -}}
{{- end -}}
{{ $rules }}
{{- end -}}
