import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createDrafts, type DraftContent } from '../../../src/services/messages/drafts.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const workspaceId = 'T0SWITCH';
const ada = 'U0AGENT';
const content: DraftContent = {
  recipients: [phoneNumberSchema.parse('+2348031234567')],
  senderId: 'PalmMarket',
  route: 'dnd',
  text: 'Hello',
};

describe('a draft that another version of the program wrote', () => {
  it('is not read without the channel that its outcome goes to, and keeps its buttons outdated', async (test) => {
    const { keyv } = await temporaryStore(test);
    const drafts = createDrafts(keyv);
    const { id, version } = await drafts.save(workspaceId, 'draft', ada, content);
    const former = { version, content: { ...content, place: 'C0SUPPORT' } };
    await keyv(workspaceId, 'drafts').set(id, former);
    assert.equal(await drafts.find(workspaceId, 'draft', ada), undefined);
    const again = await drafts.save(workspaceId, 'draft', ada, content);
    assert.equal(again.version, version + 1);
    assert.deepEqual(await drafts.find(workspaceId, 'draft', ada), again);
  });
});
