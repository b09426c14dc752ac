import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../domain/access/request-keys.ts';
import { canBeAskedAbout } from '../../services/history/provider-history.ts';
import type { SpendResult } from '../../services/operations/operations.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { notice, performingView, present, section } from '../block-kit/build.ts';
import type { OutcomeSummary } from '../block-kit/descriptions/deliveries.ts';
import { failureLines, summarizeOutcome } from '../block-kit/descriptions/outcome.ts';
import { capitalize } from '../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { addToRefusal, changedSinceShown } from '../middleware/explain-refusal.ts';
import { type LastModal, lastModalBlocks } from '../middleware/last-modal.ts';
import type { ActionRequest, AskAgain } from '../middleware/requests.ts';
import { sendAgainBlocks, withAskProviderButton } from '../navigation/open-actions.ts';
import { costOf, resolutionSource } from '../notifier/known-of-outcome.ts';
import { type Description, describedBlocks, type ShownOutcome } from '../notifier/outcome.ts';
import type { Fields } from './fields.ts';
import { defineForm, type FormCall, type FormSpec, type Submitted } from './form.ts';

export interface OutcomeSpec {
  /** The titles of the modal, by how it ended. */
  title(operation: Operation): string;
  /** What was asked for, at the beginning of a sentence: *The request for the sender ID Palm*. */
  subject(operation: Operation, shown: ShownOutcome): Markup;
  /** The headline once the provider has accepted it, after its icon. */
  accepted(operation: Operation, shown: ShownOutcome): Markup;
  /** What became of it in a list, where more than the provider's answer matters: of messages and codes. */
  outcome?(shown: ShownOutcome): OutcomeSummary;
  /** What is said in place of all that, with its icon, once the outcome of the request is not what matters any longer. */
  ended?(shown: ShownOutcome): Markup | undefined;
  /** What was to become of it: *requested*. */
  done: string;
  /** Where to look before it is done again. A sentence. */
  check: string;
  /** What to do next, where that isn't what usually follows from the reason. A sentence. */
  next?: string;
  /** Small print below it in messages, where the modal has more of its own. */
  details?(operation: Operation): Markup[];
  /** Buttons, for the user alone: *Send again* unless given. */
  nextSteps?(operation: Operation, shown: ShownOutcome): KnownBlock[];
  /** What was asked for, in a list: *Request for the sender ID Palm*. */
  line(operation: Operation, shown: ShownOutcome): Markup;
}

/**
 * Defines how an operation is said to have ended: accepted, rejected, not sent, or unconfirmed.
 *
 * @example
 * const outcome = defineOutcome({
 *   title: ({ state }) => outcomeTitle('Order', state),
 *   subject: () => mrkdwn`The order`,
 *   accepted: ({ providerId }) => mrkdwn`*Ordered:* ${providerId}.`,
 *   done: 'placed',
 *   check: 'Look at the orders before you place it again.',
 *   line: () => mrkdwn`An order`,
 * });
 */
export function defineOutcome(spec: OutcomeSpec) {
  const { done, check, next, details = () => [], nextSteps = sendAgainBlocks } = spec;

  function headlineOf(shown: ShownOutcome, { icon }: OutcomeSummary): Markup {
    const { operation } = shown;
    const subject = spec.subject(operation, shown);
    switch (operation.state) {
      case 'underway':
        return mrkdwn`${icon} *In progress.* ${subject} is being ${done}.`;
      case 'accepted':
        return mrkdwn`${icon} ${spec.accepted(operation, shown)}`;
      default:
        return failureLines(operation, operation.state, { subject, done, check, next });
    }
  }

  function describe(shown: ShownOutcome): Description {
    const { operation, deliveries, canAsk, isDeleted, reader } = shown;
    const word = capitalize(done);
    const outcome = spec.outcome?.(shown) ?? summarizeOutcome(operation, { deliveries, recipients: 1 }, word);
    const steps = nextSteps(operation, shown);
    return {
      subject: spec.line(operation, shown),
      outcome,
      headline: spec.ended?.(shown) ?? headlineOf(shown, outcome),
      details: present(
        ...details(operation),
        ...resolutionSource(operation),
        ...costOf(shown),
        isDeleted === true && reader === 'user' && mrkdwn`The number has been deleted.`,
      ),
      // A code that is verified has arrived.
      steps:
        canAsk && canBeAskedAbout(operation) && operation.codeOutcome?.kind !== 'verified'
          ? withAskProviderButton(steps, operation)
          : steps,
    };
  }

  return {
    describe,

    /**
     * The last modal: the outcome, where else it is shown, and what helps. `replacement` stands in place of the details and
     * the next steps of messages.
     */
    view(
      operation: Operation,
      modal?: LastModal & Pick<ShownOutcome, 'sent'>,
      ...replacement: KnownBlock[]
    ): ModalView {
      const { steps = [], ...described } = describe({ operation, reader: 'user', sent: modal?.sent });
      const shown =
        replacement.length > 0 ? [section(described.headline), ...replacement] : describedBlocks(described);
      return notice(
        spec.title(operation),
        ...shown,
        ...lastModalBlocks(operation, modal),
        ...(replacement.length > 0 ? [] : steps),
      );
    },
  };
}

/** The subject of a form that spends: the idempotency key of its operation, and other data. */
interface Spending<Meta> {
  key: string;
  about: Meta;
}

export interface SpendSpec<F extends Fields, Meta, Data, Result extends SpendResult>
  extends Omit<FormSpec<F, Spending<Meta>, Data>, 'meta' | 'submitted' | 'closed'> {
  title: string;
  about?: z.ZodType<Meta>;
  /** While it is performed: *Requesting the sender ID…* */
  doing: string;
  /** The participle for a request that is missing from the history: *requested*. */
  done: string;
  /** The sentence if it was not even tried: *Nothing was requested.* */
  nothingDone: string;
  /**
   * Reads the form, and returns its faults or the function that performs it. It is performed once per key,
   * see `operations.spend`. `about`: nothing was done, and the form is shown again with this data.
   */
  submitted(
    call: FormCall<F, Spending<Meta>> & { key: string },
  ): Promise<Submitted<F> | { about: Meta } | { perform(): Promise<Result | { about: Meta }> }>;
  /** @param modal with the submitted form, and the performed request, with the parts that only this form sees */
  outcome(
    operation: Operation,
    modal: LastModal & FormCall<F, Spending<Meta>> & { result: Result },
  ): ModalView | Promise<ModalView>;
}

/**
 * Defines a form that costs something, or cannot be undone: performed once however often it is submitted, cancelled when it
 * is closed, and its outcome shown in the modal, to the user, and in the history.
 *
 * @example
 * const order = defineSpend(context, {
 *   id: 'order',
 *   title: 'Order',
 *   submit: 'Order',
 *   needs: 'buy',
 *   fields: { plan: choiceField('Plan', { small: 'Small', large: 'Large' }, { first: 'small' }) },
 *   doing: 'Placing the order…',
 *   done: 'ordered',
 *   nothingDone: 'Nothing was ordered.',
 *   submitted: async ({ user, key, form }) => ({ perform: () => shop.place({ ...user, key, plan: form.plan }) }),
 *   outcome: outcome.view,
 * });
 * order.register(router);
 * router.action('order_open', 'buy', async (call) => void (await call.push(await order.begin(call, undefined))));
 */
export function defineSpend<
  const F extends Fields,
  Meta = undefined,
  Data = undefined,
  Result extends SpendResult = SpendResult,
>({ services, notifier }: AppContext, spec: SpendSpec<F, Meta, Data, Result>) {
  const { operations } = services;
  const about = spec.about ?? z.undefined().optional();
  const meta = z
    .object({ key: z.string(), about: z.unknown().optional() })
    .transform((read): Spending<Meta> => ({ ...read, about: about.parse(read.about) as Meta }));
  const showAgain = (
    { user, meta: { key }, form: initial }: FormCall<F, Spending<Meta>>,
    changed: Meta,
  ): Promise<ModalView> => form.view(user, { key, about: changed }, { initial });
  const performed = async (
    call: FormCall<F, Spending<Meta>>,
    perform: () => Promise<Result | { about: Meta }>,
  ): Promise<ModalView | AskAgain> => {
    const result = await perform().catch(addToRefusal(spec.nothingDone));
    if ('about' in result) {
      return { view: await showAgain(call, result.about), ifClosed: changedSinceShown(spec.nothingDone) };
    }
    const delivery = await notifier.notify(result.operation);
    return spec.outcome(result.operation, { ...call, delivery, result });
  };

  const form = defineForm<F, Spending<Meta>, Data>({
    ...spec,
    meta,
    async submitted(call) {
      const result = await spec.submitted({ ...call, key: call.meta.key });
      if ('about' in result) {
        return { view: await showAgain(call, result.about) };
      }
      return 'perform' in result
        ? {
            view: performingView(spec.title, spec.doing, spec.done),
            background: () => performed(call, result.perform),
          }
        : result;
    },
    closed: ({ user, meta: { key } }) => operations.cancel(user.workspaceId, key, user.userId).then(() => {}),
  });

  return {
    register: form.register,

    /** Returns the form for a request, whose id makes its key. `initial` takes precedence over its first values. */
    begin: (
      { user, requestId }: Pick<ActionRequest, 'user' | 'requestId'>,
      about: Meta,
      initial?: Parameters<typeof form.view>[2],
    ): Promise<ModalView> =>
      form.view(user, { key: idempotencyKey(user.workspaceId, requestId), about }, initial),
  };
}
