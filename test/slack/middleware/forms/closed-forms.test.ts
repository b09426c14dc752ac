import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ModalView } from '@slack/types';
import { permissionsOf } from '../../../../src/domain/access/roles.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createWorkspaceCaches } from '../../../../src/lib/workspace-caches.ts';
import { createSavedForms } from '../../../../src/services/workspaces/saved-forms.ts';
import type { SlackMessage } from '../../../../src/slack/block-kit/message.ts';
import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import { UserError } from '../../../../src/slack/middleware/errors.ts';
import { createClosedForms } from '../../../../src/slack/middleware/forms/form-memory.ts';
import { temporaryStore } from '../../../support/store/temporary-store.ts';
import { testContext } from '../../../support/test-context.ts';

const form: ModalView = { type: 'modal', title: { type: 'plain_text', text: 'A form' }, blocks: [] };

async function offered(test: TestContext) {
  const store = await temporaryStore(test);
  const caches = createWorkspaceCaches();
  const messages: { userId: string; content: SlackMessage }[] = [];
  /** An instance of the program. */
  const start = () =>
    createClosedForms(
      {
        services: { savedForms: createSavedForms(testContext(store)) },
        caches,
        log: createLog('silent'),
      },
      async (_, userId, content) => {
        messages.push({ userId, content });
      },
    );
  const forms = start();
  await forms.offerAgain({ workspaceId: 'T0', userId: 'U0AGENT' }, form, mrkdwn`Nothing was sent.`);
  const [message] = messages;
  const [, value = ''] = /"value":"([^"]+)"/.exec(JSON.stringify(message)) ?? [];
  const opened: ModalView[] = [];
  const open = async (view: ModalView) => {
    opened.push(view);
    return async () => true;
  };
  const openAs = (userId: string, which = value, workspaceId = 'T0') =>
    start().openAgain({
      user: {
        workspaceId,
        userId,
        roles: new Set(),
        permissions: permissionsOf(['agent']),
        isPartial: false,
        zone: 'Africa/Lagos',
      },
      value: which,
      open,
    });
  return { message, opened, openAs, store };
}

describe('a form that failed after it was closed', () => {
  it('is offered to its user, who can open it repeatedly, on any instance', async (test) => {
    const { message, opened, openAs } = await offered(test);
    assert.equal(message?.userId, 'U0AGENT');
    assert.match(message?.content.text ?? '', /A form.*Nothing was sent/);
    await openAs('U0AGENT');
    await openAs('U0AGENT');
    assert.deepEqual(opened, [form, form]);
  });

  it('is forgotten with its workspace, and with no other', async (test) => {
    const { opened, openAs, store } = await offered(test);
    await store.forget('T');
    await store.forget('T01');
    await openAs('U0AGENT');
    await store.forget('T0');
    await assert.rejects(openAs('U0AGENT'), UserError);
    assert.equal(opened.length, 1);
  });

  it('cannot be opened by another user, from another workspace, or once it is no longer kept', async (test) => {
    const { opened, openAs } = await offered(test);
    await assert.rejects(openAs('U0ADMIN'), UserError);
    await assert.rejects(openAs('U0AGENT', undefined, 'T0OTHER'), UserError);
    await assert.rejects(
      openAs('U0AGENT', 'two-days-old'),
      (error) =>
        error instanceof UserError &&
        error.markup.source === 'This form has expired. Start again with the command.',
    );
    assert.deepEqual(opened, []);
  });
});
