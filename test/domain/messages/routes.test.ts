import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type MessageToSend,
  needsConfirmation,
  type Route,
  readRoute,
  routeSchema,
  routeTitles,
  type Warning,
  warningsFor,
} from '../../../src/domain/messages/routes.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { rounds } from '../../support/sizes.ts';
import { spelled } from '../phone/spelling.ts';

const mtn = phoneNumberSchema.parse('+2348031234567');
const other = phoneNumberSchema.parse('+2348051234567');
const stranger = phoneNumberSchema.parse('+2348021234567');
const noon = new Date('2026-03-14T12:00:00+01:00');
const night = new Date('2026-03-14T21:00:00+01:00');
const draft: MessageToSend = {
  route: 'generic',
  text: 'Hello',
  recipients: [mtn, other],
  doNotContact: [],
  dndActive: [],
  dndUnknown: [],
  now: noon,
};

test('the names of the routes are in one table, and readable by their ids', () => {
  const titles = Object.values(routeTitles);
  const sources = globSync('**/*.ts', { cwd: 'src' }).filter((file) => !file.endsWith('messages/routes.ts'));
  for (const file of sources) {
    const code = readFileSync(join('src', file), 'utf8').replace(/\/\*\*.*?\*\/|\/\/[^\n]*/gs, '');
    const written = titles.slice(0, 2).filter((title) => code.includes(title));
    // The provider's client stands alone, and imports no table.
    assert.deepEqual(written, file.endsWith('response/error-messages.ts') ? [routeTitles.dnd] : [], file);
  }
  assert.ok(sources.length > 400);
  assert.equal(readRoute('dnd'), 'dnd');
  assert.equal(readRoute('sms'), undefined);
  assert.equal(readRoute(undefined), undefined);
});

test('a plain promotion at noon has no warning', () => {
  assert.deepEqual(warningsFor(draft), []);
});

test('every route warns first of recipients on the do-not-contact list', () => {
  for (const route of routeSchema.options) {
    const [first, ...others] = warningsFor({ ...draft, route, doNotContact: [stranger, other] });
    assert.deepEqual(first, { kind: 'do_not_contact', recipients: [other] });
    assert.deepEqual(others, []);
  }
  assert.deepEqual(warningsFor({ ...draft, doNotContact: [stranger] }), []);
});

test('the generic route warns at night of numbers of the operator with quiet hours', () => {
  assert.deepEqual(warningsFor({ ...draft, now: night }), [{ kind: 'quiet_hours', recipients: [mtn] }]);
  assert.deepEqual(warningsFor({ ...draft, now: night, recipients: [other] }), []);
  assert.deepEqual(warningsFor({ ...draft, now: night, route: 'dnd' }), []);
});

test('the generic route warns of recipients on Do-Not-Disturb, and of those that could not be checked', () => {
  const known = { ...draft, dndActive: [other], dndUnknown: [mtn] };
  assert.deepEqual(warningsFor(known), [
    { kind: 'dnd_on_generic', recipients: [other] },
    { kind: 'dnd_unknown', recipients: [mtn] },
  ]);
  assert.deepEqual(warningsFor({ ...known, route: 'dnd' }), []);
  assert.deepEqual(warningsFor({ ...known, recipients: [] }), []);
});

test('the generic route warns of a one-time code', () => {
  const text = 'Your code is 482913';
  assert.deepEqual(warningsFor({ ...draft, text }), [{ kind: 'code_on_generic' }]);
  assert.deepEqual(warningsFor({ ...draft, text, route: 'dnd' }), []);
});

test('special characters are named with their cost in pages', () => {
  const text = `{${'a'.repeat(150)}}`;
  const warning = { kind: 'special_characters', characters: ['{', '}'], pages: 3, pagesWithout: 1 };
  assert.deepEqual(warningsFor({ ...draft, text }), [warning]);
  assert.deepEqual(warningsFor({ ...draft, text, route: 'dnd' }), [warning]);
  assert.deepEqual(warningsFor({ ...draft, text, route: 'chatapp' }), []);
  assert.deepEqual(warningsFor({ ...draft, text, route: 'voice' }), []);
});

test('characters that shorten a page without costing one are not named', () => {
  for (const text of ['Привет {Ada}', 'It’s ready “today”', `{${'a'.repeat(200)}}—`.slice(0, 70)]) {
    assert.deepEqual(warningsFor({ ...draft, text }), [], text);
  }
  assert.deepEqual(warningsFor({ ...draft, text: `${'a'.repeat(80)}👋` }), [
    { kind: 'special_characters', characters: ['👋'], pages: 2, pagesWithout: 1 },
  ]);
});

test('a warning is confirmed where somebody would not get the message, or it costs more', () => {
  assert.equal(needsConfirmation({ kind: 'dnd_unknown', recipients: [mtn] }), false);
  assert.equal(needsConfirmation({ kind: 'dnd_on_generic', recipients: [mtn] }), true);
  assert.equal(needsConfirmation({ kind: 'code_on_generic' }), true);
});

test('a number that is not Nigerian is not named for Do-Not-Disturb', () => {
  const british = phoneNumberSchema.parse('+447911123456');
  assert.deepEqual(warningsFor({ ...draft, recipients: [british], dndActive: [british] }), []);
});

test('a route has warnings of its own kinds only, and names only recipients of the message', () => {
  const own: Record<Route, Warning['kind'][]> = {
    generic: [
      'do_not_contact',
      'quiet_hours',
      'dnd_on_generic',
      'dnd_unknown',
      'code_on_generic',
      'special_characters',
    ],
    dnd: ['do_not_contact', 'special_characters'],
    chatapp: ['do_not_contact'],
    voice: ['do_not_contact'],
  };
  const numbers = fc.array(
    spelled.map(({ number }) => number),
    { maxLength: 4 },
  );
  const text = fc.oneof(fc.string(), fc.constantFrom('Your code is 4829', 'a {b}', 'Hi 👋'));
  const now = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.record({ route: fc.constantFrom(...routeSchema.options), text, recipients: numbers, now }),
      numbers,
      numbers,
      numbers,
      ({ recipients, ...message }, active, unknown, doNotContact) => {
        const dndActive = [...active, ...recipients.slice(0, 1)];
        const warnings = warningsFor({
          ...message,
          recipients,
          doNotContact,
          dndActive,
          dndUnknown: unknown,
        });
        for (const warning of warnings) {
          assert.ok(own[message.route].includes(warning.kind), warning.kind);
          if (!('recipients' in warning)) {
            continue;
          }
          assert.ok(warning.recipients.length > 0);
          assert.ok(warning.recipients.every((number) => recipients.includes(number)));
        }
      },
    ),
    { numRuns: rounds(500) },
  );
});
