import { button, lines } from '../../../src/slack/block-kit/build.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { defineCommand } from '../../../src/slack/kit/command.ts';
import { textField, tickField } from '../../../src/slack/kit/fields.ts';
import { defineForm } from '../../../src/slack/kit/form.ts';
import { byPage, defineList } from '../../../src/slack/kit/list.ts';
import type { AppContext } from '../../../src/slack/middleware/app-context.ts';
import type { Router } from '../../../src/slack/middleware/router/router.ts';

/** What the feature does without Slack. */
export interface Greetings {
  find(workspaceId: string, part: string): Promise<readonly string[]>;
  add(workspaceId: string, greeting: string): Promise<void>;
}

// #region docs/architecture.md shows what follows.
/** `/greetings`: the greetings of a workspace, and a form for another one. */
export function registerGreetings(router: Router, context: AppContext, greetings: Greetings): void {
  const list = defineList({
    id: 'greetings',
    title: 'Greetings',
    needs: 'look_up',
    fields: { part: textField('Part of a greeting', { max: 40, optional: true, live: 'enter' }) },
    paging: byPage,
    async read({ workspaceId }, { form }) {
      const found = await greetings.find(workspaceId, form.part);
      return {
        rows: lines(found.map((text) => mrkdwn`• ${text}`)),
        empty: mrkdwn`No results.`,
      };
    },
    buttons: ({ permissions }) => (permissions.has('send') ? [button('greeting_new', 'New greeting')] : []),
  });
  const form = defineForm({
    id: 'greeting',
    title: 'New greeting',
    submit: 'Add',
    needs: 'send',
    fields: {
      text: textField('Greeting', { max: 160, live: 'character' }),
      isLoud: tickField('Volume', 'In capitals', { live: true }),
    },
    notes: { text: ({ form: { text, isLoud } }) => mrkdwn`Shown as: ${isLoud ? text.toUpperCase() : text}` },
    async submitted({ user, form: { text, isLoud } }) {
      if (text.trim() === '') {
        return { faults: { text: 'Write a greeting.' } };
      }
      await greetings.add(user.workspaceId, isLoud ? text.toUpperCase() : text);
      return { view: await list.view(user, list.start({}, undefined)) };
    },
  });
  const command = defineCommand(context, {
    name: 'greetings',
    title: 'How to find greetings',
    purpose: mrkdwn`*Greetings for the beginning of a message.*`,
    words: {
      new: {
        needs: 'send',
        help: (name) => mrkdwn`\`${name} new\` adds one.`,
        run: async (call) => call.open(await form.view(call.user, undefined)),
      },
    },
    otherwise: {
      needs: 'look_up',
      help: (name) => mrkdwn`\`${name}\` lists them, \`${name} good\` those with *good* in them.`,
      accepts: (text) => !command.isMisspelt(text),
      run: (call, text) => list.show(call.open, call.user, { part: text }, undefined),
    },
  });
  for (const part of [list, form, command]) {
    part.register(router);
  }
  router.action('greeting_new', 'send', async ({ user, push }) => {
    await push(await form.view(user, undefined));
  });
}
// #endregion
