import type { KnownBlock, ModalView } from '@slack/types';
import { PersonalText } from '../../../domain/access/private-values.ts';
import { readIccid } from '../../../domain/esims/iccid.ts';
import { deadlinesOf, type EsimDeadline } from '../../../domain/esims/plan-deadlines.ts';
import { type Outcome, type ProviderError, unanswered } from '../../../provider/errors.ts';
import type { DataPlanStatus, DataUsage, EsimProfile } from '../../../provider/esims/esim-operations.ts';
import type { EsimStatus } from '../../../services/esims/esims.ts';
import {
  actions,
  button,
  context,
  divider,
  facts,
  loadingView,
  notice,
  present,
  section,
} from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { formatPercent, progressBar } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { defineCommand } from '../../kit/command.ts';
import { searchField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { ShowModal, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { ToolContent } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';
import { findIccid, registerEsimSharing } from './installation.ts';
import { esimSearch, findEsims } from './lists.ts';
import { canOrder, showTopUps } from './plans.ts';

const title = 'eSIM status';
const loading = loadingView(title, 'Asking the provider…');

/** `/esim-status`: the status of an eSIM, its top-up, and what installs it. */
export function registerEsimStatus(router: Router, context: AppContext): void {
  const picker = createPicker(context);
  createStatusCommand(context, picker).register(router);
  picker.register(router);
  registerEsimSharing(router, context);

  router.action(openActions.esimStatus, 'esim_status', async ({ open, user }) => {
    await open(await picker.view(user, undefined));
  });

  router.action(esimActions.status, 'esim_status', async (call) =>
    showStatus(context, call.push, call.user, await findIccid(context, call)),
  );

  router.action(esimActions.statusHere, 'esim_status', async (call) =>
    showStatus(context, call.show, call.user, await findIccid(context, call)),
  );

  router.action(esimActions.topUpThis, 'buy', async (call) => {
    await context.services.esimOrders.requirePurchases(call.user.workspaceId);
    await showTopUps(context, call.show, call.user, await findIccid(context, call));
  });
}

function createStatusCommand(context: AppContext, picker: ReturnType<typeof createPicker>) {
  return defineCommand(context, {
    name: 'esim-status',
    title: 'How to check an eSIM',
    purpose: mrkdwn`*See the status of an eSIM*: profile, plan, dates and data.`,
    note: mrkdwn`Anyone with the QR image or the install details can install the eSIM. Only you see them.`,
    connected: true,
    words: {},
    otherwise: {
      needs: 'esim_status',
      help: (name) => [
        mrkdwn`\`${name}\` lets you pick an eSIM or enter an ICCID. \`${name} 8944 1234 …\` shows the status of that eSIM.`,
        mrkdwn`*Get QR image* sends you the image as a message. You can share it in a channel from there.`,
        mrkdwn`*Show install details* shows what to type into a phone that can’t scan.`,
        mrkdwn`*Top up* buys another plan. The price is shown first.`,
      ],
      accepts: (text) => /\d/.test(text),
      async run({ open, user }, typed) {
        const read = readIccid(typed);
        if (read.ok) {
          return showStatus(context, open, user, read.iccid);
        }
        const feedback = typed === '' ? undefined : mrkdwn`${stateIcons.failed} ${read.reason}`;
        return open(await picker.view(user, undefined, { initial: { typed }, feedback }));
      },
    },
  });
}

/** The choice of an eSIM: from a select, or by its ICCID, typed or pasted, which wins over the select. */
function createPicker(context: AppContext) {
  return defineForm({
    id: 'esim_status_pick',
    title,
    submit: 'Show',
    needs: 'esim_status',
    fields: {
      chosen: searchField('Pick an eSIM', (request) => findEsims(context, request), {
        ...esimSearch,
        optional: true,
      }),
      typed: textField('Or enter an ICCID', {
        max: 100,
        hint: 'Typed or pasted, with or without spaces.',
        optional: true,
      }),
    },
    async submitted({ user, form }) {
      const typed = form.typed.trim();
      const chosen = form.chosen?.value;
      if (typed === '') {
        return chosen === undefined
          ? { faults: { typed: 'Pick an eSIM, or enter an ICCID.' } }
          : { view: loading, background: () => statusOf(context, user, chosen) };
      }
      const read = readIccid(typed);
      return read.ok
        ? { view: loading, background: () => statusOf(context, user, read.iccid) }
        : { faults: { typed: read.reason } };
    },
  });
}

async function showStatus(context: AppContext, show: ShowModal, user: User, iccid: string): Promise<void> {
  const replace = await show(loading);
  await replace(await statusOf(context, user, iccid));
}

async function statusOf(context: AppContext, user: User, iccid: string): Promise<ModalView> {
  const status = await context.services.esims.status(user.workspaceId, iccid);
  return esimStatusView(status, { canOrder: await canOrder(context, user) });
}

/** The status as an answer to be read alone: without what else tells eSIMs apart. */
export function createStatusAnswer({ services: { esims } }: AppContext): ToolContent['esimStatus'] {
  return async ({ workspaceId }, iccid) => {
    const { plan, usage, at } = await esims.status(workspaceId, iccid);
    return [
      section(mrkdwn`*eSIM* \`${iccid}\``),
      ...part(plan, (found) => planBlocks(found, at)).flat(),
      ...part(usage, (found) => [section(mrkdwn`*Data*\n${usageBar(found)}`)]).flat(),
      ...missing([
        ['plan', plan],
        ['data usage', usage],
      ]).flat(),
      context(mrkdwn`As of ${timeFor(at)}`),
    ];
  };
}

/** The status of an eSIM: the parts that could be fetched, then the others with their errors. */
export function esimStatusView(status: EsimStatus, { canOrder }: { canOrder: boolean }): ModalView {
  const { iccid, profile, plan, usage, at } = status;
  const value = JSON.stringify({ iccid });
  // A wrong check digit isn't an error: SIMs in use have them too.
  const read = readIccid(iccid);
  const mismatch = context(
    mrkdwn`:warning: The last digit doesn’t match the others. Compare the ICCID with the original.`,
  );
  const parts = [
    ...part(plan, (found) => planBlocks(found, at)),
    ...part(usage, (found) => [section(mrkdwn`*Data*\n${usageBar(found)}`)]),
    ...part(profile, profileBlocks),
    ...missing([
      ['plan', plan],
      ['data usage', usage],
      ['profile', profile],
    ]),
  ];
  return notice(
    title,
    section(mrkdwn`*eSIM* \`${iccid}\``),
    ...(read.ok && read.luhn ? [] : [mismatch]),
    ...parts.flatMap((blocks, index) => (index === 0 ? blocks : [divider(), ...blocks])),
    context(mrkdwn`As of ${timeFor(at)}`),
    actions(
      'esim_status',
      button(esimActions.qrImage, 'Get QR image', { value }),
      button(esimActions.installation, 'Show install details', { value }),
      ...present(canOrder && button(esimActions.topUpThis, 'Top up', { value })),
      button(esimActions.statusHere, 'Refresh', { value }),
    ),
  );
}

function part<T>(outcome: Outcome<T>, show: (value: T) => KnownBlock[]): KnownBlock[][] {
  return outcome.kind === 'accepted' ? [show(outcome.value)] : [];
}

/** Names the missing parts: the eSIM lacks them, or they couldn't be read. Parts that share an error are named together. */
function missing(parts: readonly (readonly [name: string, outcome: Outcome<unknown>])[]): KnownBlock[][] {
  const failed = parts.flatMap(([name, outcome]) =>
    outcome.kind === 'accepted' ? [] : [{ name, error: outcome.error }],
  );
  return [...Map.groupBy(failed, ({ error }) => error.message)].flatMap(([message, [first, ...others]]) => {
    const names = present(first, ...others).map(({ name }) => name);
    return first === undefined
      ? []
      : [
          [
            section(
              mrkdwn`${stateIcons.unknown} *${whyMissing(names, first.error)}.* ${new PersonalText(message)}`,
            ),
          ],
        ];
  });
}

function whyMissing(names: readonly string[], { reason }: ProviderError): string {
  if (reason === 'not_found') {
    return `No ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}`;
  }
  const all = new Intl.ListFormat('en').format(names);
  return unanswered.has(reason) ? `The provider didn’t answer: ${all} unknown` : `Unknown: ${all}`;
}

function profileBlocks(profile: EsimProfile): KnownBlock[] {
  const { state, imsi, smdp, reuseRemainingCount, lastOperationDate, releaseDate } = profile;
  return [
    section(mrkdwn`*Profile*`),
    ...factsOf([
      ['State', state === undefined ? undefined : mrkdwn`\`${state}\``],
      ['IMSI', imsi === undefined ? undefined : mrkdwn`${imsi}`],
      ['SM-DP+ address', smdp === undefined ? undefined : mrkdwn`${smdp}`],
      ['Reuses remaining', reuseRemainingCount === undefined ? undefined : mrkdwn`${reuseRemainingCount}`],
      ['Released', releaseDate && timeFor(releaseDate)],
      ['Last operation', lastOperationDate && timeFor(lastOperationDate)],
    ]),
  ];
}

/** Leaves out facts without a text. */
function factsOf(pairs: readonly (readonly [title: string, text: Markup | undefined])[]): KnownBlock[] {
  const present = pairs.flatMap(([title, text]) => (text === undefined ? [] : [[title, text] as const]));
  return present.length === 0 ? [] : [facts(...present)];
}

const statusTexts = new Map([
  ['NOT_ACTIVE', mrkdwn`:hourglass: not activated yet`],
  ['ACTIVE', mrkdwn`${stateIcons.done} active`],
  ['EXPIRED', mrkdwn`${stateIcons.blocked} expired, not usable`],
]);

function planBlocks(plan: DataPlanStatus, now: Date): KnownBlock[] {
  const { status, dataPlan, createdDate, activatedDate, expiryDate, windowActivationEndDate } = plan;
  const name = dataPlan === undefined ? mrkdwn`` : mrkdwn` ${brief(dataPlan)}`;
  return [
    section(mrkdwn`*Plan*${name} · ${statusTexts.get(status) ?? mrkdwn`\`${brief(status)}\``}`),
    ...factsOf([
      ['Bought', createdDate && timeFor(createdDate)],
      ['Activate by', windowActivationEndDate && timeFor(windowActivationEndDate)],
      ['Activated', activatedDate && timeFor(activatedDate)],
      [expiryDate && expiryDate <= now ? 'Expired' : 'Expires', expiryDate && timeFor(expiryDate)],
    ]),
    ...deadlinesOf(plan, now).map((deadline) => section(warning(deadline))),
  ];
}

function warning({ kind, at, over }: EsimDeadline): Markup {
  if (kind === 'activate') {
    return over
      ? mrkdwn`:warning: *Not activated by ${timeFor(at)}.* The plan may be invalid.`
      : mrkdwn`:warning: *Activate by ${timeFor(at)}.* The plan may become invalid after that.`;
  }
  return over
    ? mrkdwn`:warning: *The plan expired ${timeFor(at)}.* Top up to use the eSIM again.`
    : mrkdwn`:warning: *The plan expires ${timeFor(at)}.* Top up in time.`;
}

/** The used data as a bar with its figures; without a bar if the provider omits one of them. */
export function usageBar({ dataTotalGigabyte: total, dataUsedGigabyte: used }: DataUsage): Markup {
  if (total === undefined || used === undefined) {
    return used === undefined
      ? mrkdwn`${gigabytes(total ?? 0)} total · used: unknown`
      : mrkdwn`${gigabytes(used)} used · total: unknown`;
  }
  const share = total > 0 ? used / total : 1;
  const left = Math.max(0, total - used);
  return mrkdwn`${progressBar(share)}\n${formatPercent(share)} used · ${gigabytes(used)} of ${gigabytes(total)} · ${gigabytes(left)} left`;
}

function gigabytes(amount: number): string {
  return `${Number(amount.toFixed(3))} GB`;
}
