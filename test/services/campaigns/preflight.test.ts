import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { campaignHarness, createdBy, workspaceId } from '../../support/campaign-harness.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';

for (const count of [10, 1_500]) {
  test(`${count} recipients with texts of their own are warned of for more networks than those of the examples`, async (t) => {
    const harness = await campaignHarness(t);
    // The first ones are of one network, and the last fifth of another.
    const rows = manyNumbers(count).map(
      (number, index) => `Ada,${index < count * 0.8 ? number : number.replace('+234805', '+234803')}`,
    );
    await harness.read('one', ['Name,Phone', ...rows], { text: 'Hello {{name}}' });
    const review = await harness.services.campaigns.review(workspaceId, 'one', createdBy);
    assert.deepEqual(review.delivery.recipients.networks, ['Glo', 'MTN']);
  });
}

test('every remaining recipient of a short list is checked for Do-Not-Disturb', async (t) => {
  const { services, read } = await campaignHarness(t);
  const numbers = manyNumbers(150).map((number) => phoneNumberSchema.parse(number));
  await read('one', numbers.map(toE164));
  const unwanted = [...numbers.slice(0, 100), ...numbers.slice(120, 130)];
  await services.suppressionList.add({ workspaceId, userId: createdBy, numbers: unwanted });
  const checked = await services.campaigns.checkDnd({ workspaceId, userId: createdBy, id: 'one' });
  assert.deepEqual(checked, { checked: 40, active: 4, unknown: 0, sample: false });
});
