import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { until } from '../../slack/until.ts';

describe('Waiting for a change', () => {
  const changes = new EventEmitter();
  const onChange = (listener: () => void) => {
    changes.on('change', listener);
    return () => void changes.off('change', listener);
  };

  it('resolves with the first result, at once or after a change', async () => {
    assert.equal(await until(onChange, () => 'here', 'it'), 'here');
    let found = '';
    const waiting = until(onChange, () => found, 'it');
    found = 'later';
    changes.emit('change');
    assert.equal(await waiting, 'later');
  });

  it('rejects with the name of what it waited for', async () => {
    await assert.rejects(
      until(onChange, () => false, 'a blue moon', 10),
      /Waited 10 ms for a blue moon\./,
    );
  });

  it('rejects with the error of a failing look and removes its listener', async () => {
    const look = () => {
      throw new RangeError('no such message');
    };
    await assert.rejects(until(onChange, look, 'it'), RangeError);
    assert.equal(changes.listenerCount('change'), 0);
  });
});
