import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../domain/access/roles.ts';
import { banner, context, modal } from '../block-kit/build.ts';
import { Markup } from '../block-kit/text.ts';
import { answerWhenReady } from '../middleware/forms/answer-when-ready.ts';
import type {
  ActionRequest,
  ClosedRequest,
  FieldErrors,
  SubmissionRequest,
  SubmissionResponse,
} from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import type { Viewer } from '../navigation/navigation.ts';
import { type Faults, type FieldOverrides, type Fields, type FormOf, fieldSet } from './fields.ts';

/** What a form shows: the values of its fields, its subject, and the data read for it. */
export interface Shown<F extends Fields, Meta, Data> {
  form: FormOf<F>;
  meta: Meta;
  data: Data;
}

/** A form that was submitted. */
export interface FormCall<F extends Fields, Meta>
  extends Pick<SubmissionRequest, 'user' | 'requestId' | 'beforeAckDeadline'> {
  form: FormOf<F>;
  meta: Meta;
}

/** What a submitted form leads to. `feedback`: the form is shown again, as saved, with this at its top. */
export type Submitted<F extends Fields> =
  | { faults: Faults<F> }
  | ({ feedback: Markup } & Pick<Extract<SubmissionResponse, { view: ModalView }>, 'background'>)
  | Exclude<SubmissionResponse, { errors: FieldErrors }>;

/** Fixed, or derived from the form's current content. */
type Text<F extends Fields, Meta, Data> = string | ((shown: Shown<F, Meta, Data>) => string);

export interface FormSpec<F extends Fields, Meta, Data> {
  /** The id of its callback. The id of a live field's action is this and the field's name, with a dot between. */
  id: string;
  title: Text<F, Meta, Data>;
  submit: Text<F, Meta, Data>;
  needs: Permission;
  fields: F;
  /** Its subject: ids and values that the user sees, because it passes through Slack. */
  meta?: z.ZodType<Meta>;
  /** Reads the data to show, each time it is shown. From the store alone: a trigger lasts 3 seconds. */
  load?(user: Viewer, meta: Meta): Promise<Data>;
  /** The first values of its fields. */
  first?(data: Data, meta: Meta): Partial<FormOf<F>>;
  /** Fields that are shown only then. What was entered in them survives until they are shown again. */
  when?: { [Name in keyof F]?: (form: FormOf<F>, data: Data) => boolean };
  /** What stands below a field, derived from the form's current values. */
  notes?: { [Name in keyof F]?: (shown: Shown<F, Meta, Data>) => Markup | readonly KnownBlock[] | undefined };
  /** What a field says in this form, or now. */
  overrides?: { [Name in keyof F]?: (shown: Shown<F, Meta, Data>) => FieldOverrides };
  above?(shown: Shown<F, Meta, Data>): readonly KnownBlock[];
  below?(shown: Shown<F, Meta, Data>): readonly KnownBlock[];
  /** Buttons that replace the value of a field, by the field: the action of the button, and the new value. */
  replaces?: { [Name in keyof F]?: { action: string; by(form: FormOf<F>): FormOf<F>[Name] } };
  /** Fields whose change replaces the values of others: which others, and their new values. */
  fills?: {
    [Name in keyof F]?: {
      others: readonly (keyof F & string)[];
      by(user: Viewer, form: FormOf<F>): Promise<Partial<FormOf<F>> | undefined>;
    };
  };
  /** Slow work: the view for work that takes longer than the acknowledgement can wait, and how an error begins then. */
  slow?: { loading: ModalView; nothingDone?: Markup };
  submitted(call: FormCall<F, Meta>): Promise<Submitted<F>>;
  /** What the button that closes it says; *Cancel* unless given. */
  close?: Text<F, Meta, Data>;
  /** Called when the user closes the form without submitting it. */
  closed?(request: { user: ClosedRequest['user']; meta: Meta }): Promise<void>;
}

/**
 * Defines a form: its ids, its metadata, how its fields are read, the values that survive a switch, the live notes, and the
 * errors beside its fields.
 *
 * @example
 * const note = defineForm({
 *   id: 'note',
 *   title: 'Note',
 *   submit: 'Save',
 *   needs: 'send',
 *   fields: { words: textField('Words', { live: 'character', max: 100 }) },
 *   notes: { words: ({ form }) => mrkdwn`${form.words.length} of 100` },
 *   async submitted({ form, user }) {
 *     return form.words === '' ? { faults: { words: 'Write something.' } } : { view: await keep(user, form.words) };
 *   },
 * });
 * note.register(router);
 * router.action('note_open', 'send', async ({ user, push }) => {
 *   await push(await note.view(user, undefined, { initial: { words: 'Hello' } }));
 * });
 */
export function defineForm<const F extends Fields, Meta = undefined, Data = undefined>(
  spec: FormSpec<F, Meta, Data>,
) {
  const { id, needs } = spec;
  const { fields, readMetadata, render, load, view } = createFormViews(spec);
  const hides = spec.when !== undefined || fields.hides;

  /** @param replace returns the new values of other fields */
  async function update(
    { user, view: shown }: ActionRequest,
    replace?: (user: Viewer, form: FormOf<F>) => Promise<object | undefined>,
  ): Promise<void> {
    if (shown === undefined) {
      return;
    }
    const { meta, initial, reset } = readMetadata(shown.metadata);
    // What holds a secret is not remembered.
    const values = hides && fields.secrets.length === 0 ? await shown.rememberedValues() : shown.values;
    const { data, first } = await load(user, meta);
    // A field that is shown holds what it shows: that phone numbers are shown in a channel has to be ticked again.
    const entered = fields.read(shown.values, fields.read(values, { ...first, ...initial }));
    const replaced = (await replace?.(user, entered)) ?? {};
    const form = { ...entered, ...replaced };
    const toggled = new Set(reset).symmetricDifference(new Set(Object.keys(replaced)));
    await shown.replace(render({ form, meta, data }, initial, { reset: [...toggled] }));
  }

  async function submit(call: SubmissionRequest): Promise<SubmissionResponse> {
    const { meta, initial } = readMetadata(call.metadata);
    // Blocks that a field shows itself may not be there yet.
    const { first } = fields.hides ? await load(call.user, meta) : { first: {} };
    const form = fields.read(call.values, fields.formOf({ ...first, ...initial }));
    const result = await spec.submitted({ ...call, form, meta });
    if ('faults' in result) {
      return { errors: fields.errorsOf(result.faults) };
    }
    if ('feedback' in result) {
      const { feedback, ...rest } = result;
      return { view: await view(call.user, meta, { feedback }), ...rest };
    }
    return { secrets: fields.secrets, ...result };
  }

  return {
    view,

    /** Registers the form and its live fields. */
    register(router: Router): void {
      const fills = new Map(Object.entries({ ...spec.fills }));
      const replaces = Object.entries({ ...spec.replaces });
      const replaced = [
        ...replaces.map(([name]) => name),
        ...[...fills.values()].flatMap((fill) => fill?.others ?? []),
      ];
      fields.register(router, needs, (call, name) => update(call, fills.get(name)?.by), new Set(replaced));
      for (const [name, replace] of replaces) {
        if (replace !== undefined) {
          router.action(replace.action, needs, (call) =>
            update(call, async (_, form) => ({ [name]: replace.by(form) })),
          );
        }
      }
      router.submission(id, needs, (call) =>
        spec.slow === undefined
          ? submit(call)
          : answerWhenReady(submit(call), { ...call, ...spec.slow, secrets: fields.secrets }),
      );
      const { closed } = spec;
      if (closed !== undefined) {
        router.closed(id, ({ user, metadata }) => closed({ user, meta: readMetadata(metadata).meta }));
      }
    },
  };
}

/** Builds the views of a form. */
function createFormViews<const F extends Fields, Meta, Data>(spec: FormSpec<F, Meta, Data>) {
  const { id } = spec;
  const fields = fieldSet(id, spec.fields);
  const schema = z.object({
    meta: spec.meta ?? z.undefined().optional(),
    initial: z.record(z.string(), z.unknown()),
    reset: z.array(z.string()).optional(),
  });

  /**
   * `initial`: initial values of fields that it hides or shortens. `reset`: fields under their other
   * action, because Slack keeps the typed text of a field with the same action.
   */
  function readMetadata(metadata: unknown): { meta: Meta; initial: object; reset: readonly string[] } {
    const { meta, initial, reset = [] } = schema.parse(metadata);
    return { meta: meta as Meta, initial, reset };
  }

  function render(
    shown: Shown<F, Meta, Data>,
    initial: object,
    { feedback, reset = [] }: { feedback?: Markup | undefined; reset?: readonly string[] } = {},
  ): ModalView {
    const visible = fields.names.filter((name) => spec.when?.[name]?.(shown.form, shown.data) ?? true);
    const hidden = Object.entries(initial).filter(
      ([name]) => !visible.includes(name) || spec.fields[name]?.hides === true,
    );
    const textOf = (text: Text<F, Meta, Data>) => (typeof text === 'string' ? text : text(shown));
    return modal({
      callbackId: id,
      title: textOf(spec.title),
      submit: textOf(spec.submit),
      close: textOf(spec.close ?? 'Cancel'),
      notifyOnClose: spec.closed !== undefined,
      metadata: {
        meta: shown.meta,
        initial: Object.fromEntries(hidden),
        ...(reset.length > 0 && { reset }),
      },
      blocks: [
        ...banner(feedback),
        ...(spec.above?.(shown) ?? []),
        ...visible.flatMap((name) => {
          const note = spec.notes?.[name]?.(shown) ?? [];
          return [
            ...fields.blocks(name, shown.form, spec.overrides?.[name]?.(shown), reset.includes(name)),
            ...(note instanceof Markup ? [{ ...context(note), block_id: `${name}_note` }] : note),
          ];
        }),
        ...(spec.below?.(shown) ?? []),
      ],
    });
  }

  async function load(user: Viewer, meta: Meta) {
    const data = await (spec.load?.(user, meta) ?? (undefined as Data));
    return { data, first: fields.formOf({ ...spec.first?.(data, meta) }) };
  }

  /** Returns the form. `initial` takes precedence over the first values of its fields; `feedback` stands at its top. */
  async function view(
    user: Viewer,
    meta: Meta,
    { initial = {}, feedback }: { initial?: Partial<FormOf<F>>; feedback?: Markup | undefined } = {},
  ): Promise<ModalView> {
    const { data, first } = await load(user, meta);
    return render({ form: { ...first, ...initial }, meta, data }, initial, { feedback });
  }

  return { fields, readMetadata, render, load, view };
}
