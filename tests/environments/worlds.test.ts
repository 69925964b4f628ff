/** What every built-in world promises, in some episodes of each. */
import { testPromises } from './promises';

testPromises(64);
