/** The Kubernetes manifests: they parse, and agree with the image, the settings, the metrics and each other. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import {
  at,
  dockerfile,
  fileOf,
  imageEnvironment,
  inSecretFiles,
  probePaths,
  ROOT,
  type Tree,
  treeOf,
} from '../support/deployment.ts';

const FOLDER = 'deploy/kubernetes';
const POD = ['spec', 'template', 'spec'] as const;
const manifests = Object.fromEntries(
  readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => [file, treeOf(`${FOLDER}/${file}`)]),
) as { [file: string]: Tree };
const manifest = (file: string) => at(manifests, file);
const deployment = manifest('deployment.yaml');
const pod = at(deployment, ...POD);
const container = at(pod, 'containers', 0);
const labels = at(deployment, 'spec', 'template', 'metadata', 'labels');
const port = Number(imageEnvironment().PORT);
const metricsPort = Number(at(manifest('config-map.yaml'), 'data', 'GATEHOUSE_METRICS_PORT'));
/** Replaces the entries that must be changed. */
const CHOSEN = {
  GATEHOUSE_SECRET: '0'.repeat(64),
  GATEHOUSE_BOOTSTRAP_KEY: `sk_live_${'0123456789'.repeat(3)}`,
};

describe('the manifests', () => {
  it('are all applied, except the template of the secret', () => {
    const applied = ['', 'backup/', 'monitoring/'].flatMap((folder) =>
      at<string[]>(manifest(`${folder}kustomization.yaml`), 'resources').map((file) => folder + file),
    );
    const separateFiles = [
      'backup/kustomization.yaml',
      'kustomization.yaml',
      'monitoring/kustomization.yaml',
      'secret.example.yaml',
    ];
    expect([...applied, ...separateFiles].toSorted()).toEqual(Object.keys(manifests).toSorted());
  });

  it('all have a kind and a name', () => {
    for (const each of Object.values(manifests))
      expect([typeof each.apiVersion, typeof each.kind]).toEqual(['string', 'string']);
  });

  it('select the pods that the deployment creates', () => {
    expect(at(deployment, 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(at(manifest('service.yaml'), 'spec', 'selector')).toEqual(labels);
    expect(at(manifest('disruption-budget.yaml'), 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(at(manifest('network-policy.yaml'), 'spec', 'podSelector', 'matchLabels')).toEqual(labels);
    for (const { labelSelector } of at<Tree[]>(pod, 'topologySpreadConstraints'))
      expect(labelSelector).toEqual({ matchLabels: labels });
    expect(at(manifest('monitoring/service-monitor.yaml'), 'spec', 'selector', 'matchLabels')).toEqual(
      at(manifest('service.yaml'), 'metadata', 'labels'),
    );
  });
});

describe('the deployment', () => {
  it('uses settings that exist and are valid', () => {
    const settings = at<{ [name: string]: string }>(manifest('config-map.yaml'), 'data');
    const secrets = at<{ [name: string]: string }>(manifest('secret.example.yaml'), 'stringData');
    const names: string[] = Object.values(SETTINGS).map(({ name }) => name);
    expect(Object.keys({ ...settings, ...secrets }).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(settings).filter((name) => name in secrets)).toEqual([]);
    expect(() => readConfig({ ...settings, ...secrets })).toThrow('GATEHOUSE_SECRET');
    expect(() => readConfig({ ...settings, ...secrets, ...CHOSEN })).not.toThrow();
    expect(at(container, 'envFrom')).toEqual([
      { configMapRef: { name: at(manifest('config-map.yaml'), 'metadata', 'name') } },
    ]);
  });

  it('reads each entry of the Secret from a file, which only its own group may read', () => {
    const secret = manifest('secret.example.yaml');
    const mount = at<Tree[]>(container, 'volumeMounts').find(({ name }) => name === 'secrets');
    expect(mount).toMatchObject({ readOnly: true });
    const volume = at<Tree[]>(pod, 'volumes').find(({ name }) => name === 'secrets');
    expect(volume?.secret).toEqual({ secretName: at(secret, 'metadata', 'name'), defaultMode: 0o440 });
    expect(at(pod, 'securityContext', 'fsGroup')).toBe(at(pod, 'securityContext', 'runAsGroup'));
    expect(at(container, 'env')).toEqual(
      Object.keys(at(secret, 'stringData')).map((name) => ({
        name: `${name}_FILE`,
        value: `${mount?.mountPath}/${name}`,
      })),
    );
    const named = at<{ name: string; value: string }[]>(container, 'env');
    const variables = Object.fromEntries(named.map(({ name, value }) => [name, value]));
    const entries: { [name: string]: string } = {
      ...at<{ [name: string]: string }>(secret, 'stringData'),
      ...CHOSEN,
    };
    const { databaseUrl } = readConfig(inSecretFiles(variables, entries));
    expect(databaseUrl).toBe(entries.DATABASE_URL);
  });

  it('probes paths and ports that exist', () => {
    expect(at(container, 'ports')).toEqual([
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: metricsPort },
    ]);
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) =>
      at<{ path: string; port: string }>(container, probe, 'httpGet'),
    );
    expect(probes.map((probe) => probe.port)).toEqual(['http', 'http', 'http']);
    expect(probes.map((probe) => probe.path)).toEqual(['/readyz', '/readyz', '/healthz']);
    expect(probePaths()).toEqual(expect.arrayContaining(probes.map((probe) => probe.path)));
    const scraped = at(deployment, 'spec', 'template', 'metadata', 'annotations');
    const scraping = { 'prometheus.io/port': String(metricsPort), 'prometheus.io/path': '/metrics' };
    expect(scraped).toMatchObject(scraping);
    expect(at(manifest('monitoring/service-monitor.yaml'), 'spec', 'endpoints', 0)).toMatchObject({
      port: at(manifest('service.yaml'), 'spec', 'ports', 1, 'name'),
      path: '/metrics',
    });
  });

  it('publishes no metrics at the port that an Ingress leads to, and lets Prometheus alone to the other', () => {
    expect(at(manifest('service.yaml'), 'spec', 'ports')).toEqual([
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'metrics', port: metricsPort, targetPort: 'metrics' },
    ]);
    const callers = at<Tree[]>(manifest('network-policy.yaml'), 'spec', 'ingress').map((rule) => [
      at(rule, 'ports', 0, 'port'),
      JSON.stringify(rule.from).includes('monitoring'),
    ]);
    expect(callers).toEqual([
      ['http', false],
      ['metrics', true],
    ]);
  });

  it('believes addresses, not a number of proxies: pods may call without one', () => {
    const trusted = at<string>(manifest('config-map.yaml'), 'data', 'GATEHOUSE_TRUST_PROXY');
    expect(readConfig({ GATEHOUSE_TRUST_PROXY: trusted }).trustProxy).toBe('192.0.2.0/24');
  });

  it('may take as long to start as an update of the schema', () => {
    const { periodSeconds, failureThreshold } = at(container, 'startupProbe');
    expect(Number(periodSeconds) * Number(failureThreshold)).toBeGreaterThan(600);
  });

  it('has no unneeded rights: no root, no writes, no capabilities', () => {
    const user = dockerfile().find(({ name }) => name === 'USER')?.rest;
    const { runAsUser, runAsGroup, ...rest } = at(pod, 'securityContext');
    expect(`${runAsUser}:${runAsGroup}`).toBe(user);
    expect(rest).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(at(container, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(at(pod, 'automountServiceAccountToken')).toBe(false);
  });

  it('can write where the service writes', () => {
    const mounts = at<{ name: string; mountPath: string }[]>(container, 'volumeMounts');
    const writable = at<Tree[]>(container, 'volumeMounts').filter(({ readOnly }) => readOnly !== true);
    expect(writable.map(({ mountPath }) => mountPath)).toEqual([
      imageEnvironment().GATEHOUSE_DATA_DIR,
      '/tmp',
    ]);
    const volumes = at<{ name: string }[]>(pod, 'volumes');
    expect(volumes.map(({ name }) => name)).toEqual(mounts.map(({ name }) => name));
  });

  it('gives a node more time to stop than it needs', () => {
    const stopping = /STOP_MS = ([\d_]+)/.exec(fileOf('src/cli/start.ts'))?.[1]?.replace('_', '');
    const before = Number(at(container, 'lifecycle', 'preStop', 'exec', 'command', 1));
    expect(Number(stopping)).toBeGreaterThan(0);
    expect(at<number>(pod, 'terminationGracePeriodSeconds')).toBeGreaterThan(
      before + Number(stopping) / 1000,
    );
  });

  it('never has too few nodes during an update', () => {
    expect(at(deployment, 'spec', 'strategy', 'rollingUpdate')).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(at(deployment, 'spec', 'replicas')).toBe(at(manifest('autoscaler.yaml'), 'spec', 'minReplicas'));
    expect(at(manifest('disruption-budget.yaml'), 'spec', 'maxUnavailable')).toBe(1);
  });
});

describe('the autoscaler', () => {
  const metrics = at<Tree[]>(manifest('autoscaler.yaml'), 'spec', 'metrics');

  it('scales the deployment', () => {
    const { apiVersion, kind, name } = at(manifest('autoscaler.yaml'), 'spec', 'scaleTargetRef');
    expect({ apiVersion, kind, name }).toEqual({
      apiVersion: deployment.apiVersion,
      kind: deployment.kind,
      name: at(deployment, 'metadata', 'name'),
    });
  });

  it('uses CPU, of which pods request some, and only if you add it a metric that the adapter provides', () => {
    const made = at(treeOf('deploy/prometheus/adapter-rules.yaml'), 'rules', 0, 'name', 'as');
    expect(metrics.map(({ type }) => type)).toEqual(['Resource']);
    expect(at(metrics[0] as Tree, 'resource', 'name')).toBe('cpu');
    const text = fileOf(`${FOLDER}/autoscaler.yaml`).replace(/^ {4}# /gm, '    ');
    const [, added] = at<Tree[]>(parse(text) as Tree, 'spec', 'metrics');
    expect(at(added as Tree, 'pods', 'metric', 'name')).toBe(made);
    expect(at(container, 'resources', 'requests', 'cpu')).toBeDefined();
  });
});
