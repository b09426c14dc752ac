import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inQuietHours, isQuietOperator, quietHoursEnd } from '../../../src/domain/messages/quiet-hours.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

const lagos = (time: string) => new Date(`2026-03-14T${time}+01:00`);

test('quiet hours are from 20:00 to 08:00 in Lagos', () => {
  for (const time of ['20:00:00', '21:00:00', '23:59:59', '00:00:00', '07:59:59']) {
    assert.ok(inQuietHours(lagos(time)), time);
  }
  for (const time of ['08:00:00', '12:00:00', '19:59:59']) {
    assert.ok(!inQuietHours(lagos(time)), time);
  }
});

test('quiet hours end at 08:00, before and after midnight', () => {
  assert.deepEqual(quietHoursEnd(lagos('21:00:00')), new Date('2026-03-15T08:00:00+01:00'));
  assert.deepEqual(quietHoursEnd(lagos('00:30:00')), lagos('08:00:00'));
  assert.deepEqual(quietHoursEnd(lagos('08:00:00')), new Date('2026-03-15T08:00:00+01:00'));
});

test('the end is always the next 08:00, at most twelve hours away during quiet hours', () => {
  const hour = 3_600_000;
  const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (at) => {
      const end = quietHoursEnd(at);
      const left = end.getTime() - at.getTime();
      assert.equal(end.toISOString().slice(11), '07:00:00.000Z');
      assert.ok(left > 0 && left <= 24 * hour);
      assert.equal(inQuietHours(at), left <= 12 * hour);
      assert.ok(!inQuietHours(end));
    }),
  );
});

test('the operator with quiet hours is recognised by its prefixes', () => {
  const isQuiet = (digits: string) => isQuietOperator(phoneNumberSchema.parse(`+234${digits}`));
  for (const prefix of [
    '703',
    '704',
    '706',
    '803',
    '806',
    '810',
    '813',
    '814',
    '816',
    '903',
    '906',
    '913',
    '916',
  ]) {
    assert.ok(isQuiet(`${prefix}1234567`), prefix);
  }
  assert.ok(isQuiet('7025123456') && isQuiet('7026123456'));
  for (const other of ['7021234567', '8051234567', '8021234567', '9011234567', '8091234567']) {
    assert.ok(!isQuiet(other), other);
  }
  assert.ok(!isQuietOperator(phoneNumberSchema.parse('+447911123456')));
});
