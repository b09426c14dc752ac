import { LitElement, type PropertyDeclarations } from 'lit';
import type { Controls, ControlsChange, PhoneReply } from '../../controls.ts';
import { objectsAt } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { Phone } from '../../provider/phones/phones.ts';
import type { SandboxChannel, Snapshot, UserAction, UserActionResult } from '../../slack/protocol.ts';
import type { Backend } from './backend.ts';
import { createDirectory, type Directory } from './directory.ts';
import { InputDrafts } from './input-drafts.ts';
import {
  appChannel,
  type PageLocation,
  ReadMarks,
  readPageLocation,
  slackbotChannel,
  writePageLocation,
} from './page-location.ts';

const dismissedKey = 'sandbox-dismissed-notices';

interface PageNotice {
  id: string;
  text: string;
}

/**
 * The state of the page and the actions of the person. Dispatches `change` when something visible has changed. The
 * server's snapshot is authoritative; the page itself keeps only unsent input and its location.
 */
export class PageState extends EventTarget {
  snapshot: Snapshot | undefined;
  controls: Controls | undefined;
  exchanges: LoggedRequest[] = [];
  /** What phones have received and sent. Read while the phone is shown. */
  phones: Phone[] | undefined;
  link: 'connecting' | 'open' | 'lost' = 'connecting';
  location: PageLocation;
  /** The root of the thread that the composer replies in. */
  replyTo: string | undefined;
  readonly drafts = new InputDrafts();
  readonly busy = new Set<string>();
  readonly #backend: Backend;
  readonly #marks = new ReadMarks();
  readonly #dismissed = new Set(sessionStorage.getItem(dismissedKey)?.split(' '));
  #ownNotices: PageNotice[] = [];
  #refreshing: Promise<void> | undefined;
  #refreshAgain: Promise<void> | undefined;
  #clockAhead = 0;
  /** Polls while the app starts, which dispatches no event. */
  #pollTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(backend: Backend) {
    super();
    this.#backend = backend;
    this.location = readPageLocation();
  }

  start(): void {
    this.#backend.watch({
      change: () => void this.refresh(),
      open: () => {
        this.link = 'open';
        void this.refresh();
        void this.refreshControls();
      },
      lost: () => {
        this.link = 'lost';
        this.redraw();
      },
    });
  }

  redraw(): void {
    this.dispatchEvent(new Event('change'));
  }

  /** Reads everything again. Calls during a read share one further read after it. */
  refresh(): Promise<void> {
    if (!this.#refreshing) {
      this.#refreshing = this.#read().finally(() => {
        this.#refreshing = undefined;
      });
      return this.#refreshing;
    }
    this.#refreshAgain ??= this.#refreshing.then(() => {
      this.#refreshAgain = undefined;
      return this.refresh();
    });
    return this.#refreshAgain;
  }

  async #read(): Promise<void> {
    const { person, team } = this.location;
    try {
      const [snapshot, exchanges] = await Promise.all([
        this.#backend.readState(person, team),
        this.location.panel === 'requests' ? this.#backend.readExchanges() : this.exchanges,
        this.location.panel === 'guide' ? this.refreshControls() : undefined,
        this.location.panel === 'phone' ? this.refreshPhones() : undefined,
      ]);
      if (person !== this.location.person || team !== this.location.team) {
        return;
      }
      this.snapshot = snapshot;
      this.exchanges = exchanges;
      this.#settle(snapshot);
    } catch (error) {
      this.notify(error);
    }
    this.redraw();
  }

  #settle(snapshot: Snapshot): void {
    const { channel, tab, person } = this.location;
    // Nobody here, or of another workspace: the page shows somebody else.
    if (!snapshot.people.some(({ id }) => id === person)) {
      this.location = { ...this.location, person: snapshot.me.id };
    }
    const rooms = snapshot.channels.filter(({ kind }) => kind !== 'dm');
    if (channel !== appChannel && channel !== slackbotChannel && !rooms.some(({ id }) => id === channel)) {
      this.location = { ...this.location, channel: rooms[0]?.id ?? appChannel };
    }
    if (tab === 'messages' && this.channel) {
      this.#marks.read(snapshot, this.channel.id);
    }
  }

  async refreshControls(): Promise<void> {
    await this.#takeControls(this.#backend.readControls());
  }

  async changeControls(change: ControlsChange): Promise<void> {
    await this.#takeControls(this.#backend.changeControls(change));
  }

  async refreshPhones(): Promise<void> {
    await this.#takePhones(this.#backend.readPhones());
  }

  /** Sends a text from a phone. Resolves with whether it was sent. */
  async sendReply(reply: PhoneReply): Promise<boolean> {
    return await this.#takePhones(this.#backend.sendReply(reply));
  }

  async #takePhones(answer: Promise<Phone[]>): Promise<boolean> {
    try {
      this.phones = await answer;
      this.redraw();
      return true;
    } catch (error) {
      this.notify(error);
      return false;
    }
  }

  async #takeControls(answer: Promise<Controls>): Promise<void> {
    try {
      this.controls = await answer;
      this.#clockAhead = Date.parse(this.controls.now) - Date.now();
      clearTimeout(this.#pollTimer);
      if (this.controls.app.instances.some((state) => state !== 'ready')) {
        this.#pollTimer = setTimeout(() => void this.refreshControls(), 500);
      }
    } catch (error) {
      this.notify(error);
    }
    this.redraw();
  }

  /** Performs an action of the person and shows its result. Resolves with undefined when it failed. */
  async perform(action: UserAction): Promise<UserActionResult | undefined> {
    if (action.do !== 'fill' && action.do !== 'options') {
      this.#dismissAll();
    }
    try {
      const { team } = this.location;
      const result = await this.#backend.perform(team === '' ? action : { ...action, team });
      await this.refresh();
      const { trouble } = result;
      const isShown = action.do === 'submit' || action.do === 'options';
      if (trouble && !isShown && !this.notices.some(({ text }) => trouble.startsWith(text))) {
        this.notify(trouble);
      }
      return result;
    } catch (error) {
      await this.refresh();
      if (action.do !== 'fill' || this.#hasBlock(action.viewId, action.blockId)) {
        this.notify(error);
      }
      return undefined;
    }
  }

  /** Whether a block still exists: typed text may be sent after the app has replaced its input. */
  #hasBlock(viewId: string, blockId: string): boolean {
    const views = [...(this.snapshot?.modals ?? []), this.snapshot?.home];
    const view = views.find((each) => each?.id === viewId)?.view;
    return objectsAt(view, 'blocks').some((block) => block.block_id === blockId);
  }

  uploadFile(file: File) {
    return this.#backend.uploadFile(this.location.person, this.location.team, file);
  }

  /** Removes the app from the workspace, or from its enterprise. */
  async uninstall(place: string): Promise<void> {
    try {
      await this.#backend.uninstall(place);
    } catch (error) {
      this.notify(error);
    }
    await this.refresh();
  }

  /** Changes the person, workspace, channel, tab or panel. */
  go(change: Partial<PageLocation>): void {
    const before = this.location;
    this.location = { ...before, ...change };
    if (before.person !== this.location.person || before.team !== this.location.team) {
      this.snapshot = undefined;
    }
    if (before.channel !== this.location.channel) {
      this.replyTo = undefined;
    }
    writePageLocation(this.location);
    this.redraw();
    void this.refresh();
  }

  get directory(): Directory | undefined {
    return this.snapshot && createDirectory(this.snapshot, this.appName, () => this.now());
  }

  get appName(): string {
    return this.controls?.app.name ?? 'Switchboard';
  }

  /** The shown channel. For the app, an empty one until the direct messages exist. */
  get channel(): SandboxChannel | undefined {
    const { snapshot, location } = this;
    if (!snapshot) {
      return undefined;
    }
    if (location.channel !== appChannel) {
      return snapshot.channels.find(({ id }) => id === location.channel);
    }
    const members = [snapshot.me.id];
    return this.direct ?? { id: '', name: '', kind: 'dm', archived: false, members, botIsMember: true };
  }

  /** The person's direct messages with the app. */
  get direct(): SandboxChannel | undefined {
    return this.snapshot?.channels.find(({ kind }) => kind === 'dm');
  }

  /** Whether nobody can write here: in the messages of an app whose manifest says so. */
  get isReadOnly(): boolean {
    return this.channel?.kind === 'dm' && this.controls?.app.isReadOnly === true;
  }

  /** Whether the app has a Home tab. */
  get hasHome(): boolean {
    return this.controls?.app.hasHome ?? this.snapshot?.home !== undefined;
  }

  unreadIn(channel: string): number {
    return this.snapshot ? this.#marks.unread(this.snapshot, channel) : 0;
  }

  /** Unix seconds by the sandbox's clock. */
  now(): number {
    return (Date.now() + this.#clockAhead) / 1000;
  }

  get notices(): PageNotice[] {
    const all = [...(this.snapshot?.notices ?? []), ...this.#ownNotices];
    return all.filter(({ id }) => !this.#dismissed.has(id));
  }

  notify(problem: unknown): void {
    const text = problem instanceof Error ? problem.message : String(problem);
    if (this.#ownNotices.at(-1)?.text === text && this.notices.at(-1)?.text === text) {
      return;
    }
    this.#ownNotices = [...this.#ownNotices.slice(-4), { id: `page-${crypto.randomUUID()}`, text }];
    this.redraw();
  }

  dismiss(...ids: readonly string[]): void {
    for (const id of ids) {
      this.#dismissed.add(id);
    }
    sessionStorage.setItem(dismissedKey, [...this.#dismissed].join(' '));
    this.redraw();
  }

  /** A notice is about the action before: the next one takes it away. */
  #dismissAll(): void {
    const shown = this.notices.map(({ id }) => id);
    if (shown.length > 0) {
      this.dismiss(...shown);
    }
  }
}

/**
 * A component of the page. Renders into the document instead of a shadow root, so that labels and descriptions can
 * refer to inputs by id and all components share one style sheet.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A component that shows the page state and renders again on each change of it. */
export class StatefulElement extends PageElement {
  static override properties: PropertyDeclarations = { pageState: { attribute: false } };
  declare pageState: PageState;
  readonly #changed = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.pageState.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    this.pageState.removeEventListener('change', this.#changed);
    super.disconnectedCallback();
  }
}
