import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { campaignHarness, createdBy, workspaceId } from '../../support/campaign-harness.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';

test('every remaining recipient of a short list is checked for Do-Not-Disturb', async (t) => {
  const { services, read } = await campaignHarness(t);
  const numbers = manyNumbers(150).map((number) => phoneNumberSchema.parse(number));
  await read('one', numbers);
  const unwanted = [...numbers.slice(0, 100), ...numbers.slice(120, 130)];
  await services.suppressionList.add({ workspaceId, userId: createdBy, numbers: unwanted });
  const checked = await services.campaigns.checkDnd({ workspaceId, userId: createdBy, id: 'one' });
  assert.deepEqual(checked, { kind: 'checked', checked: 40, active: 4, unknown: 0, sample: false });
});
