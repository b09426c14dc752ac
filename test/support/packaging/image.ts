import { execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  Cmd,
  Copy,
  DockerfileParser,
  Env,
  From,
  Healthcheck,
  type Instruction,
  Run,
  Stopsignal,
  User,
  Volume,
  Workdir,
} from 'dockerfile-ast';

const project = join(import.meta.dirname, '../../..');

/** An image whose files lie in a folder. */
export interface Image {
  /** The folder that stands for `/`. */
  root: string;
  workdir: string;
  /** As the Dockerfile sets it, with paths in `root`. */
  env: Record<string, string>;
  user: string;
  volumes: string[];
  stopSignal: string;
  health: string[];
  command: string[];
}

export function readDockerfile(): Instruction[] {
  return DockerfileParser.parse(readFileSync(join(project, 'Dockerfile'), 'utf8')).getInstructions();
}

/**
 * Makes the stages of the Dockerfile in a folder, without Docker, and returns the last one. `/` is the folder of the stage.
 * The packages of the project, which are of the same lock file, take the place of `npm ci`.
 */
export function assembleImage(folder: string): Image {
  const stages = new Map<string, Image>();
  let image = emptyImage(folder);
  for (const instruction of readDockerfile()) {
    if (instruction instanceof From) {
      const name = instruction.getBuildStage() ?? 'final';
      image = emptyImage(join(folder, name));
      stages.set(name, image);
    } else {
      perform(instruction, image, stages);
    }
  }
  return image;
}

function emptyImage(root: string): Image {
  const configuration = { env: {}, user: '0', volumes: [], stopSignal: 'SIGTERM', health: [], command: [] };
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  return { root, workdir: root, ...configuration };
}

/** What each instruction does that the Dockerfile may have. */
function perform(instruction: Instruction, image: Image, stages: ReadonlyMap<string, Image>): void {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  if (instruction instanceof Copy) {
    copy(instruction, words, image, stages);
  } else if (instruction instanceof Run) {
    run(instruction.getArgumentsContent() ?? '', image);
  } else if (instruction instanceof Env) {
    for (const property of instruction.getProperties()) {
      const value = property.getValue() ?? '';
      image.env[property.getName()] = value.startsWith('/') ? join(image.root, value) : value;
    }
  } else if (instruction instanceof Workdir) {
    image.workdir = join(image.root, words[0] ?? '');
    mkdirSync(image.workdir, { recursive: true });
  } else if (instruction instanceof User) {
    image.user = words[0] ?? '';
  } else if (instruction instanceof Volume) {
    image.volumes.push(...words);
  } else if (instruction instanceof Stopsignal) {
    image.stopSignal = words[0] ?? '';
  } else if (instruction instanceof Healthcheck || instruction instanceof Cmd) {
    const [, json = '[]'] = /^[^[]*(\[.*\])$/.exec(instruction.getArgumentsContent() ?? '') ?? [];
    image[instruction instanceof Cmd ? 'command' : 'health'] = JSON.parse(json);
  } else if (instruction.getKeyword() !== 'EXPOSE') {
    throw new Error(`No test knows what ${instruction.getKeyword()} does.`);
  }
}

function copy(
  instruction: Copy,
  words: readonly string[],
  image: Image,
  stages: ReadonlyMap<string, Image>,
): void {
  const flag = (name: string) =>
    instruction
      .getFlags()
      .find((each) => each.getName() === name)
      ?.getValue();
  const stage = stages.get(flag('from') ?? '');
  const sources = words.slice(0, -1);
  const target = words.at(-1) ?? '';
  for (const source of sources) {
    if (stage === undefined && !isInContext(source)) {
      throw new Error(`.dockerignore keeps ${source} out of the image.`);
    }
    const from = stage === undefined ? join(project, source) : join(stage.root, source);
    const folder = target.startsWith('/') ? join(image.root, target) : resolve(image.workdir, target);
    const to = target.endsWith('/') ? join(folder, basename(source)) : folder;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true });
    // Only root can give files away. `node` is the user 1000 of the official images.
    if (flag('chown') === 'node:node' && image.user === '0' && process.getuid?.() === 0) {
      chownSync(to, 1000, 1000);
    }
  }
}

/** Whether a file is sent to Docker: .dockerignore names what is, after a `*` for all the rest. */
function isInContext(source: string): boolean {
  const [all, ...kept] = readFileSync(join(project, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return all === '*' && kept.includes(`!${source}`);
}

function run(script: string, image: Image): void {
  for (const command of script.split('&&').map((each) => each.trim())) {
    if (command.startsWith('npm ci')) {
      symlinkSync(join(project, 'node_modules'), join(image.workdir, 'node_modules'));
    } else if (!command.startsWith('chown ')) {
      const inRoot = command.replaceAll(/(?<= )\/(?=\w)/g, `${image.root}/`);
      execFileSync('sh', ['-ceu', inRoot], {
        cwd: image.workdir,
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: image.root, ...image.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
  }
}

/** Puts this Node where the image of Node has it. */
export function placeNode(image: Image): void {
  const node = join(image.root, 'usr/local/bin/node');
  if (!existsSync(node)) {
    copyFileSync(process.execPath, node);
  }
}

/** Removes what the build left, so that nothing of it can be used. */
export function removeStage(folder: string, name: string): void {
  rmSync(join(folder, name), { recursive: true, force: true });
}
