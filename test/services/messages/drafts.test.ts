import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createDrafts, type DraftContent } from '../../../src/services/messages/drafts.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';

const workspaceId = 'T0SWITCH';
const ada = 'U0AGENT';
const content: DraftContent = {
  recipients: [phoneNumberSchema.parse('+2348031234567')],
  senderId: 'PalmMarket',
  route: 'dnd',
  text: 'Hello',
};

describe('a draft that two instances change at the same moment', () => {
  it('has one of both contents, and the version of that', async (test) => {
    const context = testContext(await temporaryStore(test));
    const [here, there] = [createDrafts(context), createDrafts(context)];
    const [one, other] = await Promise.all([
      here.save(workspaceId, 'draft', ada, { ...content, text: 'One' }),
      there.save(workspaceId, 'draft', ada, { ...content, text: 'Other' }),
    ]);
    assert.notEqual(one.version, other.version);
    const kept = await here.find(workspaceId, 'draft', ada);
    assert.deepEqual(kept, kept?.version === one.version ? one : other);
    assert.deepEqual(await there.find(workspaceId, 'draft', ada), kept);
  });
});
