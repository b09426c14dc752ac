import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { audienceParts, maxWordLength } from '../../../domain/campaigns/audience.ts';
import { toE164 } from '../../../domain/phone/phone-number.ts';
import { actions, button, context, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import type { User } from '../../middleware/requests.ts';
import { defineTool, type Tool } from '../../middleware/router/tool.ts';
import type { ToolContent } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { readGivenNumber, typed, typedNumber } from './read-tools.ts';

const waits = 'Nothing is sent or bought until the person does it in Slack.';

/** The tools that draft. Each draft is posted to the requester, and nowhere else. */
export function draftTools(
  app: AppContext,
  { campaignDraft, messageDraft, orderDraft }: ToolContent,
): Tool[] {
  /** Posts a draft to the person, once per request, and returns the answer. */
  async function post(
    { workspaceId, userId }: User,
    requestId: string,
    draft: SlackMessage,
    what: string | Markup,
    step: Markup,
  ) {
    const id = idempotencyKey(workspaceId, requestId, 'draft');
    const by = context(mrkdwn`Drafted by Slackbot. Nothing is sent or bought until you do it here.`);
    const posted = { ...draft, blocks: [...draft.blocks, by] };
    const notPosted = await app.posts.message({ workspaceId, id, userId }, posted);
    const title =
      notPosted === undefined
        ? mrkdwn`*${what} is in your messages with Switchboard.* Nothing was sent.`
        : mrkdwn`*${what}:* ${notPosted} Nothing was sent.`;
    return [section(title), context(mrkdwn`${step} there.`)];
  }

  async function requireConnection({ workspaceId }: User): Promise<void> {
    await app.services.workspaces.connected(workspaceId).catch(addToRefusal('Nothing was drafted.'));
  }

  return [
    defineTool({
      name: 'draft_message',
      title: 'Draft a message',
      description: `Drafts an SMS to one or more numbers, and puts its review into the person’s messages with Switchboard. ${waits}`,
      needs: 'send',
      readOnly: false,
      input: z.object({
        to: typed('Phone numbers, separated by commas', 2_000),
        text: typed('The text of the message', 2_000).min(1),
        sender: typed('A sender ID; by default, the last message’s', 20).optional(),
      }),
      async run({ user, requestId, input: { to, text, sender: senderId } }) {
        await requireConnection(user);
        const draftId = idempotencyKey(user.workspaceId, requestId, 'draft_message');
        const { content, state } = await messageDraft(user, draftId, { recipients: to, text, senderId });
        const steps = {
          ready: mrkdwn`Review it, and choose *Send*`,
          accented: mrkdwn`The text has accents, which can’t be sent. Choose *Send without accents* or *Edit*`,
          incomplete: mrkdwn`Choose *Edit* to complete it`,
        };
        return post(user, requestId, content, 'Your draft', steps[state]);
      },
    }),
    defineTool({
      name: 'draft_campaign',
      title: 'Draft a campaign',
      description: `Drafts a campaign with the text of a template, to recipients of an earlier campaign, and puts its review into the person’s messages with Switchboard. ${waits}`,
      needs: 'campaign',
      readOnly: false,
      input: z.object({
        template: typed('The name of a template', 100),
        campaign: typed(
          'The name or the id of the campaign whose recipients get it, from the tool campaigns',
          100,
        ),
        part: z.enum(audienceParts).default('all').describe('Which of its recipients'),
        word: typed('For answered_with: the word', maxWordLength).optional(),
      }),
      async run({ user, requestId, input }) {
        await requireConnection(user);
        return campaignDraft(user, requestId, input);
      },
    }),
    defineTool({
      name: 'draft_code',
      title: 'Draft a one-time code',
      description: `Prepares the form of a one-time code to a number, and puts a button for it into the person’s messages with Switchboard. ${waits}`,
      needs: 'send',
      readOnly: false,
      input: z.object({ number: typedNumber }),
      async run({ user, requestId, input }) {
        await requireConnection(user);
        const number = await readGivenNumber(app, user, input.number);
        const title = mrkdwn`*A one-time code to ${number}, for you to send.*`;
        const open = button(openActions.otpForm, 'Open the form', {
          value: toE164(number),
          style: 'primary',
        });
        const draft = message(title, [section(title), actions('draft_code', open)]);
        return post(user, requestId, draft, mrkdwn`A code to ${number}`, mrkdwn`Choose *Open the form*`);
      },
    }),
    defineTool({
      name: 'draft_esim_order',
      title: 'Draft an eSIM order',
      description: `Prepares an order for a new eSIM, or for a plan to top up an existing one, and puts it into the person’s messages with Switchboard. ${waits}`,
      needs: 'buy',
      readOnly: false,
      input: z.object({
        country: typed('The name or the code of a country that the plan is listed for', 80),
        plan: typed('The id or the name of a plan, from the tool esim_plans', 200),
        iccid: typed('To top up: the ICCID of the eSIM', 60).optional(),
      }),
      async run({ user, requestId, input }) {
        const draft = await orderDraft(user, input);
        return post(
          user,
          requestId,
          draft,
          'Your order',
          mrkdwn`Choose *Create* or *Top up*, and confirm the price`,
        );
      },
    }),
  ];
}
