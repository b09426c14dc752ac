import type { KnownBlock, ModalView } from '@slack/types';
import type { Esim } from '../../../provider/esims/esim-records.ts';
import type { Page } from '../../../provider/response/paging.ts';
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
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';

export const esimPagingActions = { previous: 'esim_list_previous', next: 'esim_list_next' } as const;

const title = 'eSIMs';
const maxEsimsShown = 40;

export function loadingEsims(): ModalView {
  return loadingView(title, 'Asking the provider…');
}

/** A page of the eSIMs of the account. */
export function esimListView(position: PagePosition, answer: ProviderAnswer<Page<Esim>>): ModalView {
  return notice(title, ...content(position, answer));
}

function content(position: PagePosition, answer: ProviderAnswer<Page<Esim>>): KnownBlock[] {
  const plans = button(openActions.esimPlans, 'See plans');
  if (answer.kind !== 'answered') {
    const why =
      answer.kind === 'failed'
        ? mrkdwn`${stateIcons.failed} ${answer.error.message}`
        : mrkdwn`No provider key is connected.`;
    return [section(why), actions('esim_list_paging', plans)];
  }
  const { records, last } = answer.value;
  const part = viewPageOf(records, position, { last, most: maxEsimsShown });
  return [
    ...(part.shown.length === 0 ? [section(mrkdwn`No eSIM was created yet.`)] : []),
    ...part.shown.map((esim) => ({
      ...section(describe(esim)),
      accessory: button(esimActions.status, 'Status', {
        value: JSON.stringify({ iccid: esim.iccid }),
        label: `Status of the eSIM ${esim.iccid}`,
      }),
    })),
    context(pageIndicator(answer.value)),
    actions('esim_list_paging', ...pagingButtons(part, esimPagingActions), plans),
  ];
}

function describe({ iccid, state, productId, lastOperationDate }: Esim): Markup {
  const parts = [
    ...(state === undefined ? [] : [mrkdwn`${brief(state)}`]),
    ...(productId === undefined ? [] : [mrkdwn`${brief(productId)}`]),
    ...(lastOperationDate === undefined ? [] : [timeFor(lastOperationDate)]),
  ];
  return parts.reduce(
    (all, part, index) => (index === 0 ? mrkdwn`${all}\n${part}` : mrkdwn`${all} · ${part}`),
    mrkdwn`\`${iccid}\``,
  );
}
