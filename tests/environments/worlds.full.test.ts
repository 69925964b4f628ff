/** What every built-in world promises, in 200 episodes of each. */
import { testPromises } from './promises';

testPromises(200);
