/** Where this browser keeps the queue. */
export const queueKey = 'agentlet.queue';
