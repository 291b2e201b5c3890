dependencies {
    implementation 'com.mparticle:android-core:5+'
}
