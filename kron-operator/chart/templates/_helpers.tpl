{{/* The one label that selects, and all that is needed: the names are fixed, so there is one release to a namespace. */}}
{{- define "kron-operator.selector" -}}
app.kubernetes.io/name: kron-operator
{{- end }}

{{/* Labels of every object. */}}
{{- define "kron-operator.labels" -}}
{{ include "kron-operator.selector" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{/* The image with its digest or tag. */}}
{{- define "kron-operator.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* What the operator may do in the namespaces that it serves: as much as it does, no Pods and no Secrets. */}}
{{- define "kron-operator.rules" -}}
- apiGroups: [kron.io]
  resources: [kronjobs]
  verbs: [get, list, watch]
- apiGroups: [kron.io]
  resources: [kronjobs/status]
  verbs: [update]
- apiGroups: [kron.io]
  resources: [kronjobs/finalizers]
  verbs: [update]
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, delete]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end }}
