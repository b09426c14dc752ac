import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { neededByText, neededPermissions } from '../../support/app/needed-permissions.ts';
import { everyListener } from '../../support/app/registered-listeners.ts';
import { startTestApp } from '../../support/app/test-app.ts';

describe('what a person needs', () => {
  it('is thought through for every listener', async (test) => {
    const testApp = await startTestApp(test);
    const listeners = everyListener(testApp.app());
    const registered = listeners
      .filter(({ kind }) => kind !== 'command' && kind !== 'closed')
      .map(({ kind, name, rule }) => `${kind} ${name} needs ${rule}`);
    const expected = neededPermissions.map(({ kind, name, needed }) => `${kind} ${name} needs ${needed}`);
    assert.deepEqual(registered.sort(), expected.sort());

    const commands = new Map(
      listeners.flatMap(({ kind, name, rule }) => (kind === 'command' ? [[name, rule]] : [])),
    );
    assert.deepEqual([...commands.keys()].sort(), Object.keys(neededByText).sort());
    for (const [name, texts] of Object.entries(neededByText)) {
      const rule = commands.get(name);
      for (const [text, needed] of Object.entries(texts)) {
        assert.equal(typeof rule === 'function' ? rule(text) : rule, needed, `/${name} ${text}`);
      }
    }
  });
});
