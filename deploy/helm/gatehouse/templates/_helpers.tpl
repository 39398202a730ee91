{{- define "gatehouse.name" -}}
{{- if contains "gatehouse" .Release.Name -}}
{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-gatehouse" .Release.Name | trunc 52 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- /* The port of metrics and health alone; 0: they are on the port of the service. */ -}}
{{- define "gatehouse.metricsPort" -}}
{{- int (default .Values.metrics.port .Values.settings.GATEHOUSE_METRICS_PORT) -}}
{{- end -}}

{{- /* The name of the port that /metrics is on. */ -}}
{{- define "gatehouse.metricsName" -}}
{{- if gt (int (include "gatehouse.metricsPort" .)) 0 }}metrics{{ else }}http{{ end -}}
{{- end -}}

{{- /* Other labels than those of the service: neither it nor a NetworkPolicy selects the pods of backups. */ -}}
{{- define "gatehouse.backupLabels" -}}
app.kubernetes.io/name: gatehouse-backup
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
