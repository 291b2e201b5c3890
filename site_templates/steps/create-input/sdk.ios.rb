pod 'mParticle-Apple-SDK'
