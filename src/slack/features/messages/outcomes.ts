import type { ModalView } from '@slack/types';
import type { Operation } from '../../../store/operations/operation.ts';
import type { SlackMessage } from '../../block-kit/message.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { LastModal } from '../../middleware/last-modal.ts';
import { messageOutcomeView, outcomeMessage } from './outcome-view.ts';

/** How a send ended, for its sender, who sees the recipients in full while the draft is kept. */
export interface Outcomes {
  /** `modal`: of a last step, for where the outcome was delivered. */
  view(operation: Operation, modal?: LastModal): Promise<ModalView>;
  message(operation: Operation): Promise<SlackMessage>;
}

export function createOutcomes({ messages }: AppContext['services']): Outcomes {
  return {
    view: async (operation, modal) =>
      messageOutcomeView(operation, { numbers: await messages.recipients(operation), modal }),
    message: async (operation) => outcomeMessage(operation, await messages.recipients(operation)),
  };
}
