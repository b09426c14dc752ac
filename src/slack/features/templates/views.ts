import type { KnownBlock, ModalView, RichTextBlock } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../../domain/access/roles.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { isBilledByPage, routes } from '../../../domain/messages/routes.ts';
import { readTemplate } from '../../../domain/messages/template.ts';
import { type CountryCode, countryName } from '../../../domain/phone/countries.ts';
import type { CostEstimate } from '../../../services/costs/estimate.ts';
import type { TemplateVersion } from '../../../store/workspaces/templates.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  notice,
  present,
  quotation,
  section,
} from '../../block-kit/build.ts';
import { describeCost } from '../../block-kit/descriptions/costs.ts';
import { lengthOfTemplate } from '../../block-kit/descriptions/warnings.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';

export const templateActions = {
  add: 'template_add',
  open: 'template_open',
  use: 'template_use',
  change: 'template_change',
  versions: 'template_versions',
  restore: 'template_restore',
  remove: 'template_remove',
} as const;

/** The value of a button: the template, its newest version that was shown, and the former one to take again. */
export const templateRefSchema = z.object({
  id: z.string(),
  version: z.number().int().min(0),
  former: z.number().int().exactOptional(),
});

const buttonValue = (ref: z.infer<typeof templateRefSchema>) => JSON.stringify(ref);

export interface ShownTemplate {
  template: TemplateVersion;
  /** Of a message to one recipient in the workspace’s country. */
  cost: CostEstimate;
  country: CountryCode;
  /** What opt-out links begin with; undefined where there are none. */
  optOutAddress: string | undefined;
}

/** A template as its message will look: its columns marked, its pages, and what they cost. `said`: what was just done. */
export function templateView(
  { template, cost, country, optOutAddress }: ShownTemplate,
  permissions: ReadonlySet<Permission>,
  said?: Markup,
): ModalView {
  const { id, version, name, text, route, senderId, changedBy, changedAt } = template;
  const { counted, isLonger } = lengthOfTemplate(text, optOutAddress);
  const { pages, characters } = countPages(counted);
  const length = isBilledByPage(route)
    ? mrkdwn`${pluralize(pages, 'page')}, ${pluralize(characters, 'character')}`
    : mrkdwn`${pluralize(characters, 'character')}`;
  const value = buttonValue({ id, version });
  return notice(
    'Template',
    ...banner(said),
    section(mrkdwn`*${name}*\nFrom *${senderId}* on the *${routes[route].title}* route`),
    markedText(text),
    context(isLonger ? mrkdwn`${length} without the columns` : length),
    context(
      mrkdwn`One recipient in ${countryName(country)}`,
      describeCost({ ...cost, balance: undefined }, route),
    ),
    context(changeOf(changedBy, changedAt)),
    actions(
      'template',
      button(templateActions.use, 'Use', { value, style: 'primary' }),
      ...(permissions.has('templates') ? [button(templateActions.change, 'Change', { value })] : []),
      button(templateActions.versions, 'Former texts', { value }),
      ...(permissions.has('templates')
        ? [button(templateActions.remove, 'Delete', { value, style: 'danger', confirm: deletion })]
        : []),
    ),
  );
}

const deletion = confirmDialog({
  title: 'Delete this template?',
  text: 'Nobody can choose it any more. Campaigns and messages that use its text keep that.',
  yes: 'Delete',
  no: 'Keep it',
  danger: true,
});

const changeOf = (userId: string, at: Date) => mrkdwn`Changed by ${userMention(userId)}, ${timeFor(at)}`;

/** The text as a quotation, each column as code with its name, and its fallback where it has one. */
function markedText(text: string): KnownBlock {
  const read = readTemplate(text);
  if (!read.ok) {
    return quotation(text);
  }
  const elements = read.template.parts.map((part) => {
    if (typeof part === 'string') {
      return { type: 'text' as const, text: part };
    }
    const fallback = part.fallback === undefined ? '' : ` | ${part.fallback}`;
    return { type: 'text' as const, text: `${part.column}${fallback}`, style: { code: true } };
  });
  return { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements }] } satisfies RichTextBlock;
}

/** The versions of a template that are kept, the newest first. There is at least one. */
export function templateVersionsView(
  versions: readonly TemplateVersion[],
  permissions: ReadonlySet<Permission>,
  said?: Markup,
): ModalView {
  const [newest] = versions;
  const rows = versions.flatMap((each): KnownBlock[] => {
    const { id, version, name, text, state, changedBy, changedAt } = each;
    const by = changeOf(changedBy, changedAt);
    if (state === 'deleted') {
      return [section(joinInline([mrkdwn`*Deleted*`, by]))];
    }
    const value = buttonValue({ id, version: newest?.version ?? version, former: version });
    const again =
      state === 'former' && permissions.has('templates')
        ? button(templateActions.restore, 'Use this text again', { value })
        : undefined;
    const title = state === 'current' ? [mrkdwn`*${name}*`, mrkdwn`now`, by] : [mrkdwn`*${name}*`, by];
    return present<KnownBlock>(section(joinInline(title), again), quotation(text));
  });
  return notice('Former texts', ...banner(said), ...rows);
}
