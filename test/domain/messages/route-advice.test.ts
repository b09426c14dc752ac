import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  adviseRoute,
  type DndState,
  genericReaches,
  routeForAll,
  routeSchema,
} from '../../../src/domain/messages/routes.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

const night = new Date('2026-03-14T21:00:00+01:00');
const day = new Date('2026-03-14T12:00:00+01:00');
const mtn = phoneNumberSchema.parse('+2348031234567');
const airtel = phoneNumberSchema.parse('+2348021234567');
const british = phoneNumberSchema.parse('+447911123456');

test('a number on Do-Not-Disturb needs the DND route, at any hour', () => {
  assert.deepEqual(adviseRoute({ number: mtn, dnd: 'active' }, day), { kind: 'on_dnd' });
  assert.deepEqual(adviseRoute({ number: mtn, dnd: 'active' }, night), { kind: 'on_dnd' });
});

test('a number of the operator with quiet hours needs it until 08:00', () => {
  const quiet = { kind: 'quiet_hours', endsAt: new Date('2026-03-15T08:00:00+01:00') };
  assert.deepEqual(adviseRoute({ number: mtn, dnd: 'inactive' }, night), quiet);
  assert.deepEqual(adviseRoute({ number: mtn, dnd: 'unknown' }, night), quiet);
  assert.deepEqual(adviseRoute({ number: airtel, dnd: 'inactive' }, night), { kind: 'any_route' });
  assert.deepEqual(adviseRoute({ number: mtn, dnd: 'inactive' }, day), { kind: 'any_route' });
  assert.deepEqual(adviseRoute({ number: mtn, dnd: 'unknown' }, day), { kind: 'dnd_unknown' });
});

test('a number that is not Nigerian gets no advice on Do-Not-Disturb', () => {
  for (const dnd of ['active', 'inactive', 'unknown'] as const) {
    assert.deepEqual(adviseRoute({ number: british, dnd }, night), { kind: 'not_nigerian' });
  }
});

test('the workspace’s route stays where it reaches everybody, and is DND otherwise', () => {
  const number = fc.constantFrom(mtn, airtel, british);
  const dnd = fc.constantFrom<DndState>('active', 'inactive', 'unknown');
  const checked = fc.record({ number, dnd });
  const route = fc.constantFrom(...routeSchema.options);
  fc.assert(
    fc.property(
      fc.array(checked, { maxLength: 4 }),
      route,
      fc.constantFrom(day, night),
      (numbers, workspaceRoute, now) => {
        const all = numbers.every((one) => genericReaches(adviseRoute(one, now)));
        const chosen = routeForAll(numbers, { workspaceRoute, now });
        assert.equal(chosen, workspaceRoute === 'generic' && !all ? 'dnd' : workspaceRoute);
      },
    ),
  );
});
