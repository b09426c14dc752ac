import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { copyProfile, exampleProfile } from '../../app-process/app-process.ts';

describe('a copy of a profile', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-profile-'));
  });
  after(() => rm(folder, { recursive: true }));

  const copied = async (from: string, ...changes: string[]) => {
    const to = join(folder, 'provider-profile.yml');
    await copyProfile(from, to, changes);
    return parse(await readFile(to, 'utf8'));
  };

  it('has the fields that are set, and not those that are removed', async () => {
    const example = await copied(exampleProfile);
    const { historyPath, ...others } = example;
    assert.equal(historyPath, '/api/sms/inbox');
    assert.deepEqual(
      await copied(exampleProfile, 'unicodeType=unicode', 'historyPath=', 'reportSignature.key=secret'),
      {
        ...others,
        unicodeType: 'unicode',
        reportSignature: { ...example.reportSignature, key: 'secret' },
      },
    );
  });

  it('has the set fields alone where there is no profile', async () => {
    assert.deepEqual(await copied('', 'historyPath=', 'contactDeleteBy=query:contact_id'), {
      contactDeleteBy: 'query:contact_id',
    });
  });

  it('is not made with a field that has no =', async () => {
    await assert.rejects(copied(exampleProfile, 'unicode'), /--profile takes a field and its value/);
  });
});
