import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { senderFields } from '../../../domain/messages/message-checks.ts';
import { templateKey } from '../../../domain/messages/named-templates.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import { writeCampaignId } from '../../../services/history/history.ts';
import { context, section } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ToolContent } from '../../navigation/navigation.ts';
import { campaignUser } from './actions.ts';
import type { CampaignFormInput } from './form/form-view.ts';
import { beginImport } from './import.ts';

/** In milliseconds: a list that takes longer is read on while Slackbot has its answer. */
const maxWait = 2_000;
const maxNamed = 10;
/** Of the newest campaigns, those whose recipients can be used again. */
const maxCampaigns = 100;

/** Makes a campaign of a template and recipients of another one. Its review is posted to the person once it is ready. */
export function createCampaignDraft(app: AppContext): ToolContent['campaignDraft'] {
  const { campaigns, templates } = app.services;
  return async (user, requestId, { template: name, campaign: source, part, word }) => {
    const all = await templates.list(user.workspaceId);
    const template = pickNamed(all, name, 'template');
    const usable = await campaigns.usable(campaignUser(user), maxCampaigns);
    const campaign =
      usable.find((each) => writeCampaignId(each) === source.trim()) ??
      pickNamed(usable, source, 'campaign', (each) => {
        const to = pluralize(each.counts.recipients, 'recipient');
        return mrkdwn` · ${to} · ${timeFor(each.startedAt ?? each.createdAt)} · id \`${writeCampaignId(each)}\``;
      });
    const form: CampaignFormInput = {
      source: 'campaign',
      bySlackbot: true,
      audience: { campaign: campaign.id, part, word },
      pasted: '',
      text: template.text,
      withoutAccents: template.withoutAccents,
      name: template.name,
      route: template.route,
      ...senderFields(template),
    };
    const id = idempotencyKey(user.workspaceId, requestId, 'campaign');
    const { result, markShown, follow } = beginImport(app, user, id, { form });
    const early = await withTimeout(result, maxWait, () => undefined, app.timers);
    if (early?.kind === 'faults') {
      await markShown();
      throw new UserError(mrkdwn`${Object.values(early.faults).join('\n')} Nothing was drafted.`);
    }
    const following = follow(async () => false, undefined);
    if (early === undefined) {
      // An import that stops midway tells its person itself.
      void following.catch((err: unknown) =>
        app.log.error({ err }, 'a campaign drafted for Slackbot failed'),
      );
      return [section(mrkdwn`*The recipients are being read.* Nothing was sent.`), next];
    }
    await following;
    const size = early.kind === 'ready' ? early.review.campaign.counts.recipients : 0;
    const title = mrkdwn`*${brief(template.name)}: a draft to ${pluralize(size, 'recipient')}${template.withoutAccents ? ', without accents,' : ''} is in your messages with Switchboard.* Nothing was sent.`;
    return [section(title), next];
  };
}

const next = context(mrkdwn`Choose *Review* there.`);

/** Returns the one with this name. Throws a UserError with the choices if the name matches nothing, or several. */
function pickNamed<Named extends { name: string }>(
  all: readonly Named[],
  name: string,
  what: string,
  details: (each: Named) => Markup = () => mrkdwn``,
): Named {
  const found = all.filter((each) => templateKey(each.name) === templateKey(name));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const choices = (only === undefined ? all : found)
    .slice(0, maxNamed)
    .map((each) => mrkdwn`*${brief(each.name)}*${details(each)}`);
  const there = choices.length === 0 ? mrkdwn`There are no ${what}s.` : mrkdwn`Choose from:\n${choices}`;
  throw new UserError(
    only === undefined
      ? mrkdwn`No ${what} has this name. ${there}\nNothing was drafted.`
      : mrkdwn`${found.length} ${what}s have this name. Use the id of the right one:\n${choices}\nNothing was drafted.`,
  );
}
