import type { KnownBlock, ModalView } from '@slack/types';
import type { Esim } from '../../../provider/esims/esim-operations.ts';
import type { Page } from '../../../provider/response/paging.ts';
import type { EsimCreator, EsimCreators } from '../../../services/esims/esim-creators.ts';
import type { ProviderAnswer } from '../../../services/operations/outcomes.ts';
import { actions, button, context, notice, section } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import {
  type PagePosition,
  pageIndicator,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging/page-position.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import { notConnectedText } from '../../middleware/not-connected.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';

export const esimPagingActions = { previous: 'esim_list_previous', next: 'esim_list_next' } as const;

const title = 'eSIMs';
const maxEsimsShown = 40;

export function loadingEsims(): ModalView {
  return loadingView(title, 'Asking the provider…');
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
