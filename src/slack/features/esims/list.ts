import type { KnownBlock, ModalView } from '@slack/types';
import type { Esim } from '../../../provider/esims/esim-operations.ts';
import type { Page } from '../../../provider/response/paging.ts';
import type { EsimCreator, EsimCreators } from '../../../services/esims/esim-orders.ts';
import type { ProviderAnswer } from '../../../services/operations/outcomes.ts';
import { actions, button, context, loadingView, notice, section } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import {
  firstPosition,
  type PagePosition,
  pageIndicator,
  pagePositionSchema,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';
import type { ShowModal } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';

const esimPagingActions = { previous: 'esim_list_previous', next: 'esim_list_next' } as const;

const title = 'eSIMs';
const maxEsimsShown = 40;

/** The eSIMs of the account. */
export function registerEsimList(router: Router, context: AppContext): void {
  router.action(esimActions.openList, 'esim_status', (call) =>
    showEsims(context, call.show, call.user.workspaceId, firstPosition),
  );
  onPaging(router, esimPagingActions, 'esim_status', pagePositionSchema, (call, position) =>
    showEsims(context, call.show, call.user.workspaceId, position),
  );
}

/** Shows a loading view at once, and the list once the provider has answered. */
export async function showEsims(
  { services: { esims, esimOrders } }: AppContext,
  show: ShowModal,
  workspaceId: string,
  position: PagePosition,
): Promise<void> {
  const replace = await show(loadingView(title, 'Asking the provider…'));
  const list = await esims.list(workspaceId, position.page);
  const iccids = list.kind === 'answered' ? list.value.records.map(({ iccid }) => iccid) : [];
  await replace(esimListView(position, list, await esimOrders.creators(workspaceId, iccids)));
}

/** A page of the eSIMs of the account. */
export function esimListView(
  position: PagePosition,
  answer: ProviderAnswer<Page<Esim>>,
  creators: EsimCreators = new Map(),
): ModalView {
  return notice(title, ...content(position, answer, creators));
}

function content(
  position: PagePosition,
  answer: ProviderAnswer<Page<Esim>>,
  creators: EsimCreators,
): KnownBlock[] {
  const plans = button(openActions.esimPlans, 'See plans');
  if (answer.kind !== 'answered') {
    const why =
      answer.kind === 'failed' ? mrkdwn`${stateIcons.failed} ${answer.error.message}` : notConnectedText();
    return [section(why), actions('esim_list_paging', plans)];
  }
  const { records, last } = answer.value;
  const part = viewPageOf(records, position, { last, most: maxEsimsShown });
  return [
    ...(part.shown.length === 0 ? [section(mrkdwn`No eSIMs yet.`)] : []),
    ...part.shown.map((esim) => ({
      ...section(describe(esim, creators.get(esim.iccid))),
      accessory: button(esimActions.status, 'Status', {
        value: JSON.stringify({ iccid: esim.iccid }),
        label: `Status of the eSIM ${esim.iccid}`,
      }),
    })),
    context(pageIndicator(answer.value)),
    actions('esim_list_paging', ...pagingButtons(part, esimPagingActions), plans),
  ];
}

function describe(
  { iccid, state, productId, lastOperationDate }: Esim,
  creator: EsimCreator | undefined,
): Markup {
  const parts = [
    ...(state === undefined ? [] : [mrkdwn`${brief(state)}`]),
    ...(productId === undefined ? [] : [mrkdwn`${brief(productId)}`]),
    ...(lastOperationDate === undefined ? [] : [timeFor(lastOperationDate)]),
  ];
  const lines = [
    mrkdwn`\`${iccid}\``,
    ...(parts.length === 0 ? [] : [joinInline(parts)]),
    ...(creator === undefined
      ? []
      : [mrkdwn`Created by ${userMention(creator.userId)} ${timeFor(creator.at)}`]),
  ];
  return mrkdwn`${lines}`;
}
