/**
 * Names of tools and arguments that a client cannot use. TRL makes a Python method of each tool, beside those of its
 * own (`trl.experimental.openreward`), and OpenEnv keeps four names for itself.
 */
import type { EnvironmentDescription, Tool } from '../../agent/env';
import { answerTool } from './answer-tool';

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
const ofClients = new Set([
  'reset',
  'step',
  'state',
  'close',
  'reward',
  'rewards',
  'metadata',
  'finished',
  'last_output',
]);
/** Names that the method of a tool uses itself. */
const ofMethods = new Set(['self', '_kwargs']);
const pythonName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Why the world cannot be served, as a sentence; or null. */
export function nameProblem({ tools }: Pick<EnvironmentDescription, 'tools'>): string | null {
  for (const tool of tools) {
    const problem = toolProblem(tool);
    if (problem !== null) return problem;
  }
  return null;
}

function toolProblem({ name, parameters }: Tool): string | null {
  if (name === answerTool.name)
    return `The tool ${name} has the name of the tool by which a served agent answers: give it another name.`;
  if (keywords.has(name)) return `The tool ${name} has the name of a Python keyword: give it another name.`;
  if (name.startsWith('_'))
    return `The tool ${name} begins with an underscore, and clients hide such methods: give it another name.`;
  if (ofClients.has(name)) return `The tool ${name} has the name of a method of its clients: give it another name.`;
  const { properties } = Object(parameters) as { properties?: object };
  for (const argument of Object.keys(properties ?? {})) {
    const why = argumentFault(argument);
    if (why !== null) return `The argument ${JSON.stringify(argument)} of the tool ${name} ${why}: rename it.`;
  }
  return null;
}

function argumentFault(name: string): string | null {
  if (!pythonName.test(name)) return 'is no name in Python';
  if (keywords.has(name)) return 'is a Python keyword';
  return ofMethods.has(name) ? 'is a name that clients use themselves' : null;
}
