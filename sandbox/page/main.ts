import { AppShell } from './shell/app-shell.ts';
import { backend } from './state/backend.ts';
import { Desk } from './state/page-state.ts';

/** The page begins here, in the browser. */
const shell = new AppShell();
shell.desk = new Desk(backend);
document.body.append(shell);
shell.desk.start();
