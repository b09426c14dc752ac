import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type MessageForm, readMessageForm } from '../../../src/services/messages/drafts.ts';

const options = { country: 'NG', unicode: false, active: [] } as const;
const good = { recipients: '0803 123 4567', senderId: 'PalmMarket', route: 'dnd', text: 'Hello' };

function faultsOf(form: MessageForm) {
  const read = readMessageForm(form, options);
  return read.ok ? {} : read.faults;
}

describe('a message form', () => {
  it('reports all errors at once, each beside its field', () => {
    const read = readMessageForm({ recipients: '12', senderId: 'ab', route: 'dnd', text: ' ' }, options);
    assert.deepEqual(read.ok ? [] : Object.keys(read.faults).sort(), ['recipients', 'senderId', 'text']);
  });

  it('accepts a device name as the sender on the chat route only', () => {
    const byChat = { ...good, route: 'chatapp', device: 'Front desk phone' };
    const read = readMessageForm(byChat, options);
    assert.equal(read.ok && read.content.senderId, 'Front desk phone');
    assert.deepEqual(Object.keys(faultsOf({ ...byChat, device: ' ' })), ['device']);
    assert.deepEqual(Object.keys(faultsOf({ ...good, senderId: 'Front desk phone' })), ['senderId']);
  });

  it('keeps the text of the message unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        const read = readMessageForm({ ...good, text }, { ...options, unicode: true });
        assert.equal(read.ok ? read.content.text : text, text);
      }),
    );
  });

  it('names the first five invalid numbers, and how many more there are', () => {
    const read = readMessageForm({ ...good, recipients: '1, 2, 3, 4, 5, 6, 7' }, options);
    assert.match(read.ok ? '' : (read.faults.recipients ?? ''), /“5”.* And 2 more\./);
  });

  it('counts too many recipients with a separator', () => {
    const numbers = Array.from({ length: 1_234 }, (_, index) => `+23480312${String(index).padStart(5, '0')}`);
    const { recipients = '' } = faultsOf({ ...good, recipients: numbers.join(' ') });
    assert.match(recipients, /^1,234 numbers are too many/);
  });
});
