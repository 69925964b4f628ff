/** What OpenEnv tells of itself: schemas of its messages, and its routes. */
import type { Json } from '../../lib/json';

const metadata = { type: 'object', additionalProperties: true, default: {} };
const reward = { anyOf: [{ type: 'number' }, { type: 'null' }], default: null };

/** As the Python classes of `openenv.core.env_server.mcp_types` give them. */
export const schemas: Json = {
  action: {
    title: 'CallToolAction',
    type: 'object',
    additionalProperties: false,
    properties: {
      metadata,
      type: { const: 'call_tool', default: 'call_tool', type: 'string' },
      tool_name: { type: 'string', description: 'Name of the tool to call' },
      arguments: { type: 'object', additionalProperties: true, description: 'Arguments to pass to the tool' },
    },
    required: ['tool_name'],
  },
  observation: {
    title: 'CallToolObservation',
    type: 'object',
    properties: {
      done: { type: 'boolean', default: false },
      reward,
      metadata,
      tool_name: { type: 'string' },
      result: { default: null },
      error: { anyOf: [{ type: 'object' }, { type: 'null' }], default: null },
    },
    required: ['tool_name'],
  },
  reset_observation: {
    title: 'Observation',
    type: 'object',
    properties: { done: { type: 'boolean', default: false }, reward, metadata, prompt: { type: 'string' } },
    required: ['prompt'],
  },
  state: {
    title: 'State',
    type: 'object',
    properties: {
      episode_id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      step_count: { type: 'integer', minimum: 0, default: 0 },
    },
  },
};

/** Paths by method, and the methods of `/mcp`. */
export const describedRoutes = {
  get: ['/health', '/metadata', '/schema', '/state'],
  post: ['/reset', '/step', '/mcp'],
  rpc: ['openenv/session/create', 'openenv/session/close', 'tools/list', 'tools/call'],
};

export function openApi(title: string, version: string): Json {
  const answers = { responses: { '200': { description: 'Successful Response' } } };
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths: Object.fromEntries([
      ...describedRoutes.get.map((path) => [path, { get: answers }]),
      ...describedRoutes.post.map((path) => [path, { post: answers }]),
    ]) as Json,
  };
}
