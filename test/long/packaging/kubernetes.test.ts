import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';
import { longestStopMs } from '../../../src/app.ts';
import { describeSettings, readSettings } from '../../../src/config/settings.ts';
import { readDockerfile } from '../../support/packaging/image.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'deploy/kubernetes');
const read = (name: string) => parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'));

const resources = {
  config: new ConfigMap(read('config')),
  'secret.example': new Secret(read('secret.example')),
  deployment: new Deployment(read('deployment')),
  service: new Service(read('service')),
  'disruption-budget': new PodDisruptionBudget(read('disruption-budget')),
  'network-policy': new NetworkPolicy(read('network-policy')),
};
const { deployment } = resources;
const pod = deployment.spec?.template?.spec ?? assert.fail();
const app = pod.containers[0] ?? assert.fail();

describe('deploy/kubernetes', () => {
  it('is what the API of Kubernetes asks for', () => {
    assert.deepEqual(
      globSync('*.yaml', { cwd: folder }).sort(),
      Object.keys(resources)
        .map((name) => `${name}.yaml`)
        .sort(),
    );
    for (const resource of Object.values(resources)) {
      resource.validate();
    }
    const wrong = new Deployment(JSON.parse('{"spec":{"replicas":"two"}}'));
    assert.throws(() => wrong.validate());
  });

  it('selects its own pods', () => {
    const labels = deployment.spec?.template?.metadata?.labels ?? {};
    const selectors = [
      deployment.spec?.selector.matchLabels,
      resources.service.spec?.selector,
      resources['disruption-budget'].spec?.selector?.matchLabels,
    ];
    for (const selector of selectors) {
      assert.deepEqual(selector, labels);
    }
    const ports = app.ports?.map(({ name }) => name);
    const named = [
      ...(resources.service.spec?.ports ?? []).map(({ targetPort }) => targetPort),
      ...(resources['network-policy'].spec?.ingress ?? []).flatMap((rule) =>
        (rule.ports ?? []).map(({ port }) => port),
      ),
      ...[app.startupProbe, app.livenessProbe, app.readinessProbe].map((probe) => probe?.httpGet?.port),
    ];
    assert.ok(named.length === 6 && named.every((name) => ports?.includes(`${name}`)));
  });

  it('keeps an instance while others are replaced or moved', () => {
    assert.equal(deployment.spec?.replicas, 2);
    assert.deepEqual(deployment.spec?.strategy?.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
    assert.equal(resources['disruption-budget'].spec?.minAvailable, 1);
  });

  it('runs as the user of the image, who can write only to /data', () => {
    const user = readDockerfile()
      .findLast((each) => each.getKeyword() === 'USER')
      ?.getArgumentsContent();
    const context = pod.securityContext;
    assert.equal(`${context?.runAsUser}:${context?.runAsGroup}`, user);
    assert.equal(context?.runAsNonRoot, true);
    assert.equal(context?.seccompProfile?.type, 'RuntimeDefault');
    assert.equal(pod.automountServiceAccountToken, false);
    assert.deepEqual(app.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.deepEqual(app.volumeMounts, [{ name: 'data', mountPath: '/data' }]);
  });

  it('runs the program of the image', () => {
    assert.equal(app.command, undefined);
  });

  it('sets only what the program reads, with which it starts', async () => {
    const set = { ...resources.config.data, ...resources['secret.example'].stringData };
    const known = new Set(describeSettings().map(({ name }) => name));
    assert.deepEqual(
      Object.keys(set).filter((name) => !known.has(name)),
      [],
    );
    const filledIn = {
      ENCRYPTION_KEYS: Buffer.alloc(32).toString('base64'),
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: '0'.repeat(32),
    };
    const settings = await readSettings({ ...set, ...filledIn, DATA_DIR: '/data' });
    const ports = new Map(app.ports?.map(({ name, containerPort }) => [name, containerPort]));
    assert.equal(ports.get('http'), settings.port);
    assert.equal(ports.get('metrics'), settings.metricsPort);
    assert.ok(settings.postgres !== undefined);
    const stop = (deployment.spec?.template?.spec?.terminationGracePeriodSeconds ?? 0) * 1000;
    assert.ok(stop > longestStopMs);
  });
});
