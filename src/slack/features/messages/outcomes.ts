import type { ModalView } from '@slack/types';
import type { Operation } from '../../../store/operations/ledger.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { messageOutcomeView, outcomeMessage } from './outcome-view.ts';

/** How a send ended, for its sender, who sees the recipients in full while the draft is kept. */
export interface Outcomes {
  view(operation: Operation): Promise<ModalView>;
  message(operation: Operation): Promise<SlackMessage>;
}

export function createOutcomes({ messages }: AppContext['services']): Outcomes {
  return {
    view: async (operation) => messageOutcomeView(operation, await messages.recipients(operation)),
    message: async (operation) => outcomeMessage(operation, await messages.recipients(operation)),
  };
}
