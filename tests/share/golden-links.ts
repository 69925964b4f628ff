/** Links of released versions. Links in the world cannot be changed, so these must decode for ever. */

export const goldenLinks = [
  // 0.1.0
  'v=1&ev=0.1.0&preset=calculator&seed=7&lr=3e-4&reward.correct=2&' +
    'x=FcvLToNAFADQX5ncTTc0AVqexgWtgWg11geIUUOGmQtF22EYpqA2_RZ_xF1_zHj25wB9u1cMIQT8lK3ShLWi12SHmpJzciC60VsMySRR' +
    'p9_TD07I8exVgAFsr4b_FUV3lxeLKE0WY321rPXNY-qs0zh-SK37LNvy56dMlnlsYW4vN213-yEpFd1q13Xul1bddOzL1be-zu2geHemw-' +
    'AXlVeMYIBCyjbIIXRNA6pG1KikaoSG8AVMy57NHdfzA1oyjhUYUCFnJQ18z3XmM9sy4c0AyqnUqCAESpJ1CkfyBw',
] as const;
