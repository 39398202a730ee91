/** The Helm chart, rendered by helm: its output agrees with the manifests, the settings and the metrics, and wrong values are refused. Checks that need no helm are in helm-values.test.ts. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { at, type Tree, treeOf } from '../support/deployment.ts';
import { renderChart } from '../support/helm.ts';

const POD = ['spec', 'template', 'spec'] as const;
const SECRETS = ['DATABASE_URL', 'REDIS_URL', 'GATEHOUSE_SECRET', 'GATEHOUSE_BOOTSTRAP_KEY'];
const CLUSTER = { cluster: true, replicas: 3, existingSecret: 'gatehouse', secretSettings: SECRETS };
const EVERYTHING = {
  ...CLUSTER,
  networkPolicy: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true },
  image: { repository: 'registry.example/gatehouse', tag: '1.2.3', pullSecrets: [{ name: 'pull' }] },
  tolerations: [{ key: 'signups', operator: 'Exists' }],
};

const render = (values: object = {}, name = 'gatehouse') => renderChart(name, values);
const fileOf = (rendered: Map<string, Tree>, file: string) => rendered.get(`${file}.yaml`) as Tree;
const manifest = (file: string) => treeOf(`deploy/kubernetes/${file}.yaml`);

describe('by default', () => {
  const rendered = render();
  const deployment = fileOf(rendered, 'deployment');

  it('it is one node with a volume, and has nothing of a cluster that could be missing', () => {
    const files = ['config-map.yaml', 'deployment.yaml', 'service.yaml', 'volume-claim.yaml'];
    expect([...rendered.keys()].toSorted()).toEqual(files);
    expect(at(deployment, 'spec', 'replicas')).toBe(1);
    expect(at(deployment, 'spec', 'strategy')).toEqual({ type: 'Recreate' });
    const claim = at(fileOf(rendered, 'volume-claim'), 'metadata', 'name');
    expect(at(deployment, ...POD, 'volumes', 0)).toEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: claim },
    });
  });

  it('its settings exist, and are valid', () => {
    const settings = at<{ [name: string]: string }>(fileOf(rendered, 'config-map'), 'data');
    const names: string[] = Object.values(SETTINGS).map(({ name }) => name);
    expect(Object.keys(settings).filter((name) => !names.includes(name))).toEqual([]);
    expect(() => readConfig(settings)).not.toThrow();
  });
});

describe('the pods', () => {
  it.each([
    ['of one node', {}],
    ['of a cluster', EVERYTHING],
  ])('%s run as in the manifests', (_, values) => {
    const pod = at(fileOf(render(values), 'deployment'), ...POD);
    const { image, envFrom, resources, volumeMounts, ...container } = at(pod, 'containers', 0);
    const plain = at(manifest('deployment'), ...POD);
    expect(at(plain, 'containers', 0)).toMatchObject(container);
    const hasSecret = 'existingSecret' in values;
    const mounts = at<Tree[]>(plain, 'containers', 0, 'volumeMounts');
    expect(volumeMounts).toEqual(mounts.filter(({ name }) => hasSecret || name !== 'secrets'));
    expect('env' in container).toBe(hasSecret);
    expect(at(pod, 'securityContext')).toEqual({
      ...at(plain, 'securityContext'),
      fsGroupChangePolicy: 'OnRootMismatch',
    });
    for (const name of [
      'terminationGracePeriodSeconds',
      'automountServiceAccountToken',
      'enableServiceLinks',
    ])
      expect(at(pod, name)).toEqual(at(plain, name));
    expect(at(pod, 'volumes', 1)).toEqual(at(plain, 'volumes', 1));
    expect(Object.keys(resources as Tree).toSorted()).toEqual(['limits', 'requests']);
  });

  it('restart when a setting changes', () => {
    const changed = { settings: { GATEHOUSE_LOG_LEVEL: 'debug' } };
    const annotations = [{}, changed].map((values) =>
      at(fileOf(render(values), 'deployment'), 'spec', 'template', 'metadata', 'annotations'),
    );
    expect(annotations[0]).not.toEqual(annotations[1]);
  });

  it('are found by all selectors, under any name of the release', () => {
    const rendered = render(EVERYTHING, 'shop');
    const deployment = fileOf(rendered, 'deployment');
    const chosen = at(deployment, 'spec', 'selector', 'matchLabels');
    expect(at(deployment, 'spec', 'template', 'metadata', 'labels')).toMatchObject(chosen);
    expect(at(fileOf(rendered, 'service'), 'spec', 'selector')).toEqual(chosen);
    expect(at(fileOf(rendered, 'disruption-budget'), 'spec', 'selector', 'matchLabels')).toEqual(chosen);
    expect(at(fileOf(rendered, 'network-policy'), 'spec', 'podSelector', 'matchLabels')).toEqual(chosen);
    expect(at(fileOf(rendered, 'service-monitor'), 'spec', 'selector', 'matchLabels')).toEqual(chosen);
    expect(at(fileOf(rendered, 'service'), 'metadata', 'labels')).toMatchObject(chosen);
    for (const { metadata } of rendered.values()) expect(metadata).toMatchObject({ name: 'shop-gatehouse' });
  });
});

describe('a cluster', () => {
  const rendered = render(EVERYTHING);
  const deployment = fileOf(rendered, 'deployment');

  it('is updated as in the manifests, and keeps nothing on a volume', () => {
    expect(at(deployment, 'spec', 'strategy')).toEqual(at(manifest('deployment'), 'spec', 'strategy'));
    expect(at(deployment, 'spec', 'replicas')).toBe(3);
    expect(at(deployment, ...POD, 'volumes')).toEqual(at(manifest('deployment'), ...POD, 'volumes'));
    expect(rendered.has('volume-claim.yaml')).toBe(false);
  });

  it('uses the image, the Secret and the tolerations of the values', () => {
    const container = at(deployment, ...POD, 'containers', 0);
    expect(at(container, 'image')).toBe('registry.example/gatehouse:1.2.3');
    expect(at(container, 'envFrom')).toHaveLength(1);
    expect(at(deployment, ...POD, 'volumes', 2, 'secret', 'secretName')).toBe('gatehouse');
    expect(at(deployment, ...POD, 'imagePullSecrets')).toEqual([{ name: 'pull' }]);
    expect(at(deployment, ...POD, 'tolerations')).toEqual(EVERYTHING.tolerations);
  });

  it('reads secret settings from files, and other settings only if they are named', () => {
    const env = at<{ name: string }[]>(
      fileOf(render({ cluster: true, existingSecret: 'gatehouse' }), 'deployment'),
      ...POD,
      'containers',
      0,
      'env',
    );
    expect(env.map(({ name }) => name)).toEqual(['DATABASE_URL_FILE', 'REDIS_URL_FILE']);
    const secret = Object.values(SETTINGS).filter((setting) => setting.secret);
    expect(SECRETS.filter((name) => !secret.some((setting) => setting.name === name))).toEqual([]);
  });

  it('has the same network policy, alerts and monitor as the manifests', () => {
    const { podSelector, ...policy } = at(fileOf(rendered, 'network-policy'), 'spec');
    expect(at(manifest('network-policy'), 'spec')).toMatchObject(policy);
    expect(at(fileOf(rendered, 'prometheus-rule'), 'spec')).toEqual(treeOf('deploy/prometheus/alerts.yaml'));
    const { selector, ...monitor } = at(fileOf(rendered, 'service-monitor'), 'spec');
    expect(at(manifest('monitoring/service-monitor'), 'spec')).toMatchObject(monitor);
    expect(at(fileOf(rendered, 'service-monitor'), 'metadata', 'labels', 'release')).toBe('prometheus');
  });
});

describe('the port of metrics', () => {
  const portsOf = (values: object) => {
    const rendered = render({ ...EVERYTHING, ...values });
    const named = (ports: Tree[]) => ports.map(({ name }) => name);
    return {
      pod: named(at<Tree[]>(fileOf(rendered, 'deployment'), ...POD, 'containers', 0, 'ports')),
      service: named(at<Tree[]>(fileOf(rendered, 'service'), 'spec', 'ports')),
      monitor: at(fileOf(rendered, 'service-monitor'), 'spec', 'endpoints', 0, 'port'),
      policy: at<Tree[]>(fileOf(rendered, 'network-policy'), 'spec', 'ingress').map((rule) =>
        at(rule, 'ports', 0, 'port'),
      ),
      setting: readConfig(at<{ [name: string]: string }>(fileOf(rendered, 'config-map'), 'data')).metricsPort,
    };
  };
  const OWN = {
    pod: ['http', 'metrics'],
    service: ['http', 'metrics'],
    monitor: 'metrics',
    policy: ['http', 'metrics'],
  };
  const SHARED = {
    pod: ['http'],
    service: ['http'],
    monitor: 'http',
    policy: ['http', 'http'],
    setting: null,
  };

  it.each([
    ['by default', {}, { ...OWN, setting: 9090 }],
    ['another', { metrics: { port: 9464 } }, { ...OWN, setting: 9464 }],
    ['as a setting', { settings: { GATEHOUSE_METRICS_PORT: '9465' } }, { ...OWN, setting: 9465 }],
    ['none', { metrics: { port: 0 } }, SHARED],
    ['none, as a setting', { settings: { GATEHOUSE_METRICS_PORT: 'off' } }, SHARED],
  ])('is the same everywhere: %s', (_, values, ports) => {
    expect(portsOf(values)).toEqual(ports);
  });

  it('has its number in the pod and in the Service', () => {
    const rendered = render({ settings: { GATEHOUSE_METRICS_PORT: '9465' } });
    expect(at(fileOf(rendered, 'deployment'), ...POD, 'containers', 0, 'ports', 1, 'containerPort')).toBe(
      9465,
    );
    expect(at(fileOf(rendered, 'service'), 'spec', 'ports', 1, 'port')).toBe(9465);
  });

  it('restarts the pods when it changes', () => {
    const annotations = [9090, 9091].map((port) =>
      at(fileOf(render({ metrics: { port } }), 'deployment'), 'spec', 'template', 'metadata', 'annotations'),
    );
    expect(annotations[0]).not.toEqual(annotations[1]);
  });
});

describe('values for an installation of its own', () => {
  it('open the ports of its servers and its proxy', () => {
    const rule = { ports: [{ port: 636, protocol: 'TCP' }] };
    const networkPolicy = {
      enabled: true,
      webPorts: [443, 3128],
      serverPorts: [6432, 26379],
      metricsNamespaces: [],
      extraEgress: [rule],
    };
    const spec = at(fileOf(render({ ...CLUSTER, networkPolicy }), 'network-policy'), 'spec');
    const ports = at<Tree[]>(spec, 'egress').map((each) => at<Tree[]>(each, 'ports').map(({ port }) => port));
    expect(ports).toEqual([[53, 53], [443, 3128], [6432, 26379], [636]]);
    expect(at<Tree[]>(spec, 'ingress')).toHaveLength(1);
    const single = { networkPolicy: { ...networkPolicy, extraEgress: [] } };
    expect(at<Tree[]>(fileOf(render(single), 'network-policy'), 'spec', 'egress')).toHaveLength(2);
  });

  const CA = { name: 'ca', mountPath: '/etc/ca', readOnly: true };
  it.each([
    ['one node', {}, 0],
    ['a cluster', CLUSTER, SECRETS.length],
  ])('add variables, volumes and mounts to %s', (_, values, before) => {
    const extra = {
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.pem' }],
      extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      extraVolumeMounts: [CA],
      serviceAccountName: 'gatehouse',
      priorityClassName: 'high',
      service: { annotations: { team: 'growth' } },
      startSeconds: 1_200,
    };
    const rendered = render({ ...values, ...extra });
    const pod = at(fileOf(rendered, 'deployment'), ...POD);
    const container = at(pod, 'containers', 0);
    expect(at<Tree[]>(container, 'env')).toHaveLength(before + 1);
    expect(at<Tree[]>(container, 'env').at(-1)).toEqual(extra.extraEnv[0]);
    expect(at<Tree[]>(container, 'volumeMounts').at(-1)).toEqual(CA);
    expect(at<Tree[]>(pod, 'volumes').at(-1)).toEqual(extra.extraVolumes[0]);
    expect(pod).toMatchObject({ serviceAccountName: 'gatehouse', priorityClassName: 'high' });
    expect(at(container, 'startupProbe', 'failureThreshold')).toBe(1_200);
    expect(at(fileOf(rendered, 'service'), 'metadata', 'annotations')).toEqual({ team: 'growth' });
  });

  it('scale by CPU as the manifests do, and by latency only if they say so', () => {
    const rendered = render({ ...CLUSTER, autoscaling: { enabled: true } }, 'shop');
    const { scaleTargetRef, ...spec } = at(fileOf(rendered, 'autoscaler'), 'spec');
    const { scaleTargetRef: _, ...plain } = at(manifest('autoscaler'), 'spec');
    expect(spec).toEqual(plain);
    const deployment = fileOf(rendered, 'deployment');
    expect(at(scaleTargetRef as Tree, 'name')).toBe(at(deployment, 'metadata', 'name'));
    expect(at(deployment, 'spec')).not.toHaveProperty('replicas');
    const slow = render({ ...CLUSTER, autoscaling: { enabled: true, latency: '50m' } });
    const [first, second] = at<Tree[]>(fileOf(slow, 'autoscaler'), 'spec', 'metrics');
    expect(first?.type).toBe('Resource');
    expect(at(second as Tree, 'pods', 'metric', 'name')).toBe(
      at(treeOf('deploy/prometheus/adapter-rules.yaml'), 'rules', 0, 'name', 'as'),
    );
  });
});

it('refuses several nodes on one volume, and a cluster without a Secret', () => {
  expect(() => render({ replicas: 2 })).toThrow('set cluster to true');
  expect(() => render({ autoscaling: { enabled: true } })).toThrow('set cluster to true');
  expect(() => render({ cluster: true })).toThrow('existingSecret');
});
