import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import {
  flagAt,
  isJsonObject,
  type JsonObject,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
} from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { drawBlocks } from '../blocks/blocks.ts';
import { StatefulElement } from '../state/page-state.ts';
import { messageSurface } from '../state/surfaces.ts';

/** What a person asked Slackbot, and what it shows of the answer. */
interface Asked {
  title: string;
  input: JsonObject;
  blocks: JsonObject[];
  text: string;
  isError: boolean;
}

/** Slackbot, which has no language model here: a person picks a tool of the app, fills in what it takes, and sees its answer. */
class SlackbotChat extends StatefulElement {
  #tools: JsonObject[] = [];
  #chosen = '';
  #asked: Asked[] = [];
  #person = '';
  #isAsking = false;

  override render(): TemplateResult {
    const { person } = this.pageState.location;
    if (this.#person !== person) {
      this.#person = person;
      this.#asked = [];
      void this.#list();
    }
    const tool = this.#tools.find(({ name }) => name === this.#chosen);
    return html`<main class="channel" aria-label="Slackbot">
      <header class="row wraps channel-header">
        <h2 class="row">Slackbot</h2>
        <span class="more">There’s no language model here. Pick a tool of ${this.pageState.appName}</span>
      </header>
      <div class="scrolls messages" role="log" aria-live="polite" aria-label="Slackbot’s answers" tabindex="0">
        ${this.#asked.map((asked, index) => this.#renderAsked(asked, index))}
      </div>
      <notice-list .pageState=${this.pageState}></notice-list>
      <form class="stack slackbot-form" @submit=${this.#ask}>
        <label>
          <span class="more">Tool</span>
          <select name="tool" aria-label="Tool" @change=${this.#choose}>
            <option value="" ?selected=${tool === undefined}>Pick a tool</option>
            ${this.#tools.map((each) => {
              const name = stringAt(each, 'name') ?? '';
              return html`<option value=${name} ?selected=${name === this.#chosen}>${titleOf(each)}</option>`;
            })}
          </select>
        </label>
        ${tool === undefined ? nothing : this.#renderInputs(tool)}
      </form>
    </main>`;
  }

  #renderInputs(tool: JsonObject): TemplateResult {
    const reads = flagAt(objectAt(tool, 'annotations'), 'readOnlyHint');
    return html`<p class="more">${stringAt(tool, 'description')}</p>
      ${keyed(
        tool,
        fieldsOf(tool).map(({ name, schema, required }) => drawField(name, schema, required)),
      )}
      <div class="row wraps">
        <button type="submit" class="button primary" ?disabled=${this.#isAsking}>Ask Slackbot</button>
        <span class="more">${reads ? 'It reads' : 'It drafts: Slackbot would ask you first'}</span>
      </div>`;
  }

  #renderAsked({ title, input, blocks, text, isError }: Asked, index: number): TemplateResult {
    const { directory } = this.pageState;
    const given = Object.values(input).map(String).join(' · ');
    const message = { ts: `${index}`, channel: 'slackbot', from: 'slackbot', text, blocks };
    return html`<article class="message" aria-label=${`Slackbot: ${title}`}>
      <div class="message-face">${icon('bolt')}</div>
      <div class="message-body">
        <header class="row"><strong>Slackbot</strong><span class="more">${title}${given && `: ${given}`}</span></header>
        ${
          blocks.length > 0 && directory
            ? html`<div class="blocks">${drawBlocks(blocks, messageSurface(this.pageState, directory, message))}</div>`
            : html`<p role=${isError ? 'alert' : nothing}>${text}</p>`
        }
      </div>
    </article>`;
  }

  async #list(): Promise<void> {
    const answer = await this.pageState.perform({ do: 'tools', person: this.#person });
    this.#tools = objectsAt(resultOf(answer?.answer), 'tools');
    this.requestUpdate();
  }

  readonly #choose = (event: Event): void => {
    this.#chosen = event.target instanceof HTMLSelectElement ? event.target.value : '';
    this.requestUpdate();
  };

  readonly #ask = (event: SubmitEvent): void => {
    event.preventDefault();
    const tool = this.#tools.find(({ name }) => name === this.#chosen);
    if (tool && event.target instanceof HTMLFormElement) {
      void this.#use(tool, readInput(tool, new FormData(event.target)));
    }
  };

  async #use(tool: JsonObject, input: JsonObject): Promise<void> {
    const person = this.#person;
    this.#isAsking = true;
    this.requestUpdate();
    const answer = await this.pageState.perform({
      do: 'tool',
      person,
      tool: stringAt(tool, 'name') ?? '',
      input,
    });
    this.#isAsking = false;
    const result = resultOf(answer?.answer);
    if (result && person === this.#person) {
      const text = objectsAt(result, 'content')
        .map((part) => stringAt(part, 'text') ?? '')
        .join('\n');
      const blocks = objectsAt(objectAt(objectAt(result, '_meta'), 'slack'), 'blocks');
      this.#asked = [
        ...this.#asked,
        { title: titleOf(tool), input, text, blocks, isError: flagAt(result, 'isError') },
      ];
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector('article:last-of-type')?.scrollIntoView({ block: 'nearest' });
  }
}

function titleOf(tool: JsonObject): string {
  return stringAt(tool, 'title') ?? stringAt(tool, 'name') ?? '';
}

function resultOf(answer: unknown): JsonObject | undefined {
  return isJsonObject(answer) ? objectAt(answer, 'result') : undefined;
}

/** The inputs of a tool, by its JSON schema. */
function fieldsOf(tool: JsonObject) {
  const input = objectAt(tool, 'inputSchema');
  const required = stringsAt(input, 'required');
  return Object.entries(objectAt(input, 'properties') ?? {}).map(([name, schema]) => ({
    name,
    schema: isJsonObject(schema) ? schema : {},
    required: required.includes(name),
  }));
}

/** From this length on, a text has several lines. */
const longText = 500;

function drawField(name: string, schema: JsonObject, required: boolean): TemplateResult {
  const choices = stringsAt(schema, 'enum');
  const max = typeof schema.maxLength === 'number' ? schema.maxLength : longText;
  const label = `${stringAt(schema, 'description') ?? name}${required ? '' : ' (optional)'}`;
  const field = `in.${name}`;
  return html`<label>
    <span class="more"><code>${name}</code> ${label}</span>
    ${
      choices.length > 0
        ? html`<select name=${field}>
            ${['', ...choices].map((value) => html`<option>${value}</option>`)}
          </select>`
        : max > longText
          ? html`<textarea name=${field} maxlength=${max} ?required=${required}></textarea>`
          : html`<input name=${field} maxlength=${max} ?required=${required} autocomplete="off" />`
    }
  </label>`;
}

function readInput(tool: JsonObject, form: FormData): JsonObject {
  const given = fieldsOf(tool).map(({ name }): [string, string] => [
    name,
    String(form.get(`in.${name}`) ?? ''),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

customElements.define('slackbot-chat', SlackbotChat);
