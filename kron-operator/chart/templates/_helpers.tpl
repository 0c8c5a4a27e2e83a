{{/* The value of app.kubernetes.io/name. */}}
{{- define "kron-operator.name" -}}
{{ .Values.nameOverride | default .Chart.Name }}
{{- end }}

{{/* The name of the objects; some add a word to it. It does not have the release in it, as one release to a namespace is usual. */}}
{{- define "kron-operator.fullname" -}}
{{ .Values.fullnameOverride | default (include "kron-operator.name" .) }}
{{- end }}

{{/* Where the operator runs. */}}
{{- define "kron-operator.namespace" -}}
{{ .Values.namespaceOverride | default .Release.Namespace }}
{{- end }}

{{- define "kron-operator.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "kron-operator.fullname" .) }}
{{- else -}}
{{ required "serviceAccount.create=false needs serviceAccount.name" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{- define "kron-operator.leaseName" -}}
{{ .Values.leaderElection.leaseName | default (include "kron-operator.fullname" .) }}
{{- end }}

{{/* An installation of some namespaces has a ClusterRole of its own: there can be one for each tenant. */}}
{{- define "kron-operator.clusterRoleName" -}}
{{ include "kron-operator.fullname" . }}{{ if .Values.namespaces }}-{{ include "kron-operator.namespace" . }}{{ end }}
{{- end }}

{{/* The port in `listen`. */}}
{{- define "kron-operator.port" -}}
{{ regexFind "[0-9]+$" .Values.listen }}
{{- end }}

{{/* The port of the metrics behind TLS. */}}
{{- define "kron-operator.tlsPort" -}}
{{ regexFind "[0-9]+$" .Values.metrics.tls.listen }}
{{- end }}

{{/* The labels that select the Pods. */}}
{{- define "kron-operator.selector" -}}
app.kubernetes.io/name: {{ include "kron-operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of every object. */}}
{{- define "kron-operator.labels" -}}
{{ include "kron-operator.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels of an object that has more: a dict of `root` and `more`. What a user adds wins. */}}
{{- define "kron-operator.labelsAnd" -}}
{{ toYaml (merge (dict) .more (include "kron-operator.labels" .root | fromYaml)) }}
{{- end }}

{{- define "kron-operator.podLabels" -}}
{{ toYaml (merge (dict) .Values.podLabels .Values.commonLabels (include "kron-operator.selector" . | fromYaml)) }}
{{- end }}

{{/* The image with its digest or tag. */}}
{{- define "kron-operator.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}
